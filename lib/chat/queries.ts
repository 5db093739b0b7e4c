import type { messages } from '../../drizzle/schema/chat.ts';
import { HOME } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';

/** Messages of conversations. */

export type Message = Pick<typeof messages.$inferSelect, 'role' | 'text' | 'vins'>;

/** The newest messages, oldest first. */
export async function listMessages(
  db: Sql,
  accountId: string,
  conversationId: string,
  limit: number,
): Promise<Message[]> {
  return (await db.query<Message>(LIST, [accountId, conversationId, limit])).reverse();
}

/** Adds messages in this order behind the stored ones, and deletes the oldest beyond the bound. */
export async function appendMessages(
  db: Sql,
  accountId: string,
  conversationId: string,
  newMessages: readonly Message[],
): Promise<void> {
  await db.query(APPEND, [accountId, conversationId, JSON.stringify(newMessages), newMessages.length]);
}

/** Deletes conversations that did not change for so many days; returns their number. */
export const sweepConversations = async (db: Sql, days: number): Promise<number> =>
  (await db.query(SWEEP, [days])).length;

const LIST: Statement = {
  text: `
    select role, text, vins from messages where account_id = $1 and conversation_id = $2
    order by n desc limit $3::int`,
};

/** A conversation keeps its newest messages. */
const MAX_MESSAGES = 200;

/** The conversation's row lock keeps message numbers unique. An erased conversation takes no messages. */
const APPEND: Statement = {
  timeout: 'ingest',
  text: `
    with turn as (
      update conversations set messages = messages + $4::int, updated_at = now() where account_id = $1 and id = $2
      returning messages - $4::int as before
    ), oldest as (
      delete from messages
      where account_id = $1 and conversation_id = $2 and n <= (select before + $4::int - ${MAX_MESSAGES} from turn)
    ), added as (
      insert into messages (account_id, conversation_id, n, role, text, vins)
      select home.account_id, $2, turn.before + spoken.n, spoken.m->>'role', spoken.m->>'text', spoken.m->'vins'
      from ${HOME}, turn, json_array_elements($3::json) with ordinality as spoken(m, n)
    )
    select 1 as one from turn`,
};

const SWEEP: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ delete from conversations where updated_at < now() - make_interval(days => $1::int)
    returning true as swept`,
};
