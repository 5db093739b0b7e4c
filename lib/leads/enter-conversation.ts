import type { Sql, Statement } from '../db/sql.ts';

/** Who speaks with which dealer. */
export interface Visit {
  dealer: string;
  visitorId: string;
  /** As the caller names it; one that is not this visitor's at this dealer is as good as none. */
  conversationId: string | null;
}

interface Entered {
  id: string;
  leadId: string | null;
}

/**
 * The visitor's conversation: the one named, else the open one, else a new one under `newId`. One that nobody touched for
 * a day is no longer open. Locks its row, so that inside a transaction no other call captures a lead in it.
 */
export async function enterConversation(
  db: Sql,
  accountId: string,
  { dealer, visitorId, conversationId }: Visit,
  newId: string,
): Promise<Entered> {
  const who = [accountId, dealer, visitorId];
  const [row] = conversationId === null ? [] : await db.query<Entered>(ENTER_NAMED, [...who, conversationId]);
  if (row) return row;
  await db.query(CLOSE_IDLE, who);
  const [open] = await db.query<Entered>(ENTER_OPEN, [...who, newId]);
  if (!open) throw new Error('no conversation was opened');
  return open;
}

const ENTER_NAMED: Statement = {
  timeout: 'ingest',
  text: `
    update conversations set updated_at = now()
    where account_id = $1 and dealer = $2 and visitor_id = $3 and id = $4
    returning id, lead_id as "leadId"`,
};

const CLOSE_IDLE: Statement = {
  timeout: 'ingest',
  text: `
    update conversations set closed_at = now()
    where account_id = $1 and dealer = $2 and visitor_id = $3 and closed_at is null
      and updated_at < now() - interval '1 day'`,
};

const ENTER_OPEN: Statement = {
  timeout: 'ingest',
  text: `
    insert into conversations (account_id, dealer, visitor_id, id) values ($1, $2, $3, $4)
    on conflict (account_id, dealer, visitor_id) where closed_at is null do update set updated_at = excluded.updated_at
    returning id, lead_id as "leadId"`,
};
