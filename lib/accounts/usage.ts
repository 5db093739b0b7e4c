import type { Sql, Statement } from '../db/sql.ts';
import type { Background, Clock } from '../outside/system.ts';
import type { Principal } from './keys/principal.ts';

/** How often a process writes down what it counted: a process that is cut off loses as much. */
const WRITE_EVERY_MS = 60_000;

/** Calls of each key that an instance has counted and not written yet. */
export interface CallCounts {
  calls: Map<string, { account_id: string; key_id: string; requests: number }>;
  writtenMs: number;
}

/** The first call is written at once: many a process of the platform answers no other. */
export const newCallCounts = (): CallCounts => ({ calls: new Map(), writtenMs: Number.NEGATIVE_INFINITY });

/** Counts a call of a key in this process. */
export function countCall({ calls }: CallCounts, { callerId: keyId, account }: Principal): void {
  const call = calls.get(keyId) ?? { account_id: account.id, key_id: keyId, requests: 0 };
  calls.set(keyId, { ...call, requests: call.requests + 1 });
}

interface UsagePorts {
  db: Sql;
  clock: Clock;
  callCounts: CallCounts;
}

/** After an answer: writes what has gathered, once a minute. */
export function keepUsage(ports: UsagePorts & { background: Background }): void {
  if (ports.clock.now() - ports.callCounts.writtenMs >= WRITE_EVERY_MS)
    ports.background.run(writeUsage(ports));
}

/** Writes down what this process has counted. */
export async function writeUsage({ db, clock, callCounts }: UsagePorts): Promise<void> {
  const calls = [...callCounts.calls.values()];
  callCounts.calls.clear();
  callCounts.writtenMs = clock.now();
  if (calls.length > 0) await db.query(ADD, [JSON.stringify(calls)]);
}

export const TODAY = `(now() at time zone 'utc')::date`;

/** Each row by its own account. */
const ADD: Statement = {
  text: `
    /* all accounts */ insert into key_usage as u (account_id, key_id, day, requests)
    select c.account_id, c.key_id, ${TODAY}, c.requests
    from json_to_recordset($1::json) as c(account_id text, key_id text, requests int)
    order by 1, 2
    on conflict (account_id, day, key_id) do update set requests = u.requests + excluded.requests`,
};

/** Forgets the days of more than a year ago; returns how many. */
export async function sweepUsage(db: Sql): Promise<number> {
  const text = `/* all accounts */ delete from key_usage where day < ${TODAY} - 400 returning 1 as one`;
  return (await db.query({ timeout: 'job', text })).length;
}

/** Tokens that the provider used today, UTC, for all accounts. */
export async function readTokens(db: Sql): Promise<number> {
  const text = `select tokens::float8 from ai_tokens where day = ${TODAY}`;
  const [row] = await db.query<{ tokens: number }>({ text });
  return row?.tokens ?? 0;
}

/** Returns the sum of today. */
export async function addTokens(db: Sql, tokens: number): Promise<number> {
  const [row] = await db.query<{ tokens: number }>(
    {
      text: `
        insert into ai_tokens as t (day, tokens) values (${TODAY}, $1::bigint)
        on conflict (day) do update set tokens = t.tokens + excluded.tokens
        returning tokens::float8`,
    },
    [tokens],
  );
  return row?.tokens ?? 0;
}
