import { and, eq } from 'drizzle-orm';
import { sessions } from '../../../drizzle/schema/people.ts';
import { builder } from '../../db/builder.ts';
import { iso } from '../../db/fragments.ts';
import type { Sql } from '../../db/sql.ts';
import type { Principal } from '../keys/principal.ts';
import type { Account } from '../operator/schemas.ts';
import { readAndMark } from '../queries/read-and-mark.ts';
import type { Person } from './queries.ts';

/** A browser that is signed in: as a person, or as the operator. */
export interface Session {
  id: string;
  person: Pick<Person, 'id' | 'email' | 'role'> | null;
  isOperator: boolean;
  /** Began with a code from the person's mailbox; a link is also seen by who made it. */
  isByCode: boolean;
  /** The person's account, or the one that the operator looks at. */
  account: (Principal['account'] & Pick<Account, 'name' | 'erase_at'>) | null;
  /** When it signed in, in ms since the epoch. */
  signedInMs: number;
}

const MARK_DUE = `seen_at < now() - interval '1 minute'`;

/** Of the row `s`. */
const IS_LIVE = `s.seen_at > now() - interval '7 days'
      and s.created_at > now() - case when s.operator then interval '12 hours' else interval '30 days' end`;

/**
 * By the hash of the cookie's token, which is marked as seen at most once a minute; null when unknown, ended, idle for 7
 * days or older than 30; an operator's than 12 hours.
 */
export async function findSession(db: Sql, tokenHash: string): Promise<Session | null> {
  const read = {
    text: `
      select s.id, date_part('epoch', s.created_at) * 1000 as "signedInMs", s.operator as "isOperator",
        s.by_code as "isByCode", s.${MARK_DUE} as is_mark_due,
        case when p.id is not null then json_build_object('id', p.id, 'email', p.email, 'role', p.role) end as person,
        case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'tier', a.tier,
          'limit_multiplier', a.limit_multiplier, 'min_feed_cadence_minutes', a.min_feed_cadence_minutes,
          'suspended', a.suspended, 'test', a.test, 'erase_at', ${iso('a.erase_at')}) end as account
      from sessions s left join people p on p.id = s.person_id
        left join accounts a on a.id = coalesce(p.account_id, s.account_id)
      where s.token_hash = $1 and ${IS_LIVE}`,
  };
  const mark = { text: `update sessions set seen_at = now() where token_hash = $1 and ${MARK_DUE}` };
  return (await readAndMark<Session & { is_mark_due: boolean }>(db, { read, mark }, tokenHash)) ?? null;
}

/** One line of a list of sessions; `email` null: the operator. */
export type SessionEntry = Pick<typeof sessions.$inferSelect, 'id' | 'browser' | 'created_at' | 'seen_at'> & {
  email: string | null;
};

/** Of the row `s`: a session of account $1, or of the operator. */
const belongsTo = (accountId: string | null) =>
  accountId === null
    ? '$1::text is null and s.operator'
    : 's.person_id in (select id from people where account_id = $1)';

/**
 * The account's sessions, or the operator's, the last used first. Those of a former ADMIN_TOKEN are among the operator's for
 * their 12 hours, and open nothing.
 */
export function findSessions(db: Sql, accountId: string | null): Promise<SessionEntry[]> {
  const text = `
    select s.id, p.email, s.browser, ${iso('s.created_at')} as created_at, ${iso('s.seen_at')} as seen_at
    from sessions s left join people p on p.id = s.person_id where ${belongsTo(accountId)} and ${IS_LIVE} order by s.seen_at desc limit 500`;
  return db.query({ text }, [accountId]);
}

/** Nothing when the account, or the operator, has no such session. */
export const deleteSession = (db: Sql, accountId: string | null, id: string) =>
  db.query(
    { text: `delete from sessions s where ${belongsTo(accountId)} and s.id = $2 returning 1 as one` },
    [accountId, id],
  );

/** The account that an operator's session looks at from now on; null: none. */
export const updateLook = (db: Sql, id: string, accountId: string | null) =>
  builder(db)
    .update(sessions)
    .set({ account_id: accountId })
    .where(and(eq(sessions.id, id), sessions.operator));

/** Forgets sessions, codes and links that are too old; returns the number of sessions. */
export async function sweepSignIns(db: Sql): Promise<number> {
  const timeout = 'job';
  await db.query({ timeout, text: `delete from sign_in_codes where created_at < now() - interval '1 hour'` });
  await db.query({ timeout, text: 'delete from sign_in_links where expires_at < now()' });
  const text = `delete from sessions s where not (${IS_LIVE}) returning 1 as one`;
  return (await db.query({ timeout, text })).length;
}
