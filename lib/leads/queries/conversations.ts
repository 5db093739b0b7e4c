import type { Sql, Statement } from '../../db/sql.ts';
import { HOME } from '../../inventory/queries/home.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { Conversations, Message } from '../ports/leads.ts';

/** Conversations of visitors with dealers, and what was said in them. */
export function postgresConversations(sql: Sql): Conversations {
  return {
    of: (accountId) => ({
      async enter({ dealer, visitorId, conversationId }, newId) {
        const who = [accountId, dealer, visitorId];
        if (conversationId !== null) {
          const [named] = await sql.query<Entered>(ENTER_NAMED, [...who, conversationId]);
          if (named) return named;
        }
        await sql.query(CLOSE_IDLE, who);
        const [open] = await sql.query<Entered>(ENTER_OPEN, [...who, newId]);
        if (!open) throw new Error('no conversation was opened');
        return open;
      },
      async history(id, limit) {
        const rows = await sql.query<Message & { at: string }>(HISTORY, [accountId, id, limit]);
        return rows.reverse();
      },
      async append(id, messages) {
        if (messages.length === 0) return;
        await sql.query(APPEND, [accountId, id, JSON.stringify(messages), messages.length]);
      },
    }),
    async sweep(days) {
      const [row] = await sql.query<{ swept: number }>(SWEEP, [days]);
      return row?.swept ?? 0;
    },
  };
}

interface Entered {
  id: string;
  leadId: string | null;
}

/** Holds the row, so that inside a transaction nobody else captures a lead in it. */
const ENTER_NAMED: Statement = {
  role: 'ingest',
  text: `
    update conversations set updated_at = now()
    where account_id = $1 and dealer = $2 and visitor_id = $3 and id = $4
    returning id, lead_id as "leadId"`,
};

const CLOSE_IDLE: Statement = {
  role: 'ingest',
  text: `
    update conversations set closed_at = now()
    where account_id = $1 and dealer = $2 and visitor_id = $3 and closed_at is null
      and updated_at < now() - interval '1 day'`,
};

const ENTER_OPEN: Statement = {
  role: 'ingest',
  text: `
    insert into conversations (account_id, dealer, visitor_id, id) values ($1, $2, $3, $4)
    on conflict (account_id, dealer, visitor_id) where closed_at is null do update set updated_at = excluded.updated_at
    returning id, lead_id as "leadId"`,
};

const HISTORY: Statement = {
  text: `
    select role, text, vins, ${iso('at')} as at from messages where account_id = $1 and conversation_id = $2
    order by n desc limit $3::int`,
};

/** So many of a conversation are kept, the newest. */
const MAX_MESSAGES = 200;

/** Numbers are given under the conversation's row lock; one that was erased meanwhile takes nothing. */
const APPEND: Statement = {
  role: 'ingest',
  text: `
    with turn as (
      update conversations set messages = messages + $4::int, updated_at = now() where account_id = $1 and id = $2
      returning messages - $4::int as before
    ), oldest as (
      delete from messages
      where account_id = $1 and conversation_id = $2 and n <= (select before + $4::int - ${MAX_MESSAGES} from turn)
    ), added as (
      insert into messages (account_id, conversation_id, n, role, text, vins)
      select home.account_id, $2, turn.before + said.n, said.m->>'role', said.m->>'text', said.m->'vins'
      from ${HOME}, turn, json_array_elements($3::json) with ordinality as said(m, n)
    )
    select 1 as one from turn`,
};

/** Across all accounts: what nobody came back to. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    /* all accounts */ with swept as (
      delete from conversations where updated_at < now() - make_interval(days => $1::int) returning 1
    )
    select count(*)::int as swept from swept`,
};
