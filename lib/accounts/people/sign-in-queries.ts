import { eq } from 'drizzle-orm';
import { sessions } from '../../../drizzle/schema/people.ts';
import { builder } from '../../db/builder.ts';
import type { Sql } from '../../db/sql.ts';

/** How sessions begin and end: by a code, by a link, by ADMIN_TOKEN. */

export interface NewSession {
  id: string;
  tokenHash: string;
  browser: string;
}

/** A person who may sign in. */
export interface Entrant {
  id: string;
  email: string;
  accountId: string;
  /** The account's name. */
  account: string;
  isTest: boolean;
  /** Has never signed in. */
  isFirst: boolean;
  /** Entered the account by a code before. */
  isConfirmed: boolean;
}

const ENTRANT = `p.id, p.email, p.account_id as "accountId", a.name as account, a.test as "isTest",
      p.signed_in_at is null as "isFirst", p.confirmed_at is not null as "isConfirmed"`;

/** Notes a code for the browser that asks; false when nobody has the address. The work is the same then. */
export async function insertCode(
  db: Sql,
  code: { browserHash: string; codeHash: string; email: string },
): Promise<boolean> {
  const text = `
    with added as (
      insert into sign_in_codes (browser_hash, code_hash, email) values ($1, $2, $3)
    )
    select exists (select 1 from people where email = $3) as known`;
  const [row] = await db.query<{ known: boolean }>({ text }, [code.browserHash, code.codeHash, code.email]);
  return row?.known ?? false;
}

/** Counts a try; null when there is no code, or it is used, too old or was tried too often. */
export async function tryCode(db: Sql, browserHash: string): Promise<string | null> {
  const text = `
    update sign_in_codes set tries = tries + 1
    where browser_hash = $1 and tries < 5 and used_at is null and created_at > now() - interval '10 minutes'
    returning code_hash as hash`;
  const [code] = await db.query<{ hash: string }>({ text }, [browserHash]);
  return code?.hash ?? null;
}

/** Who has the address that the browser's code was sent to; first those who entered their account by a code before. */
export function findEntrants(db: Sql, browserHash: string): Promise<Entrant[]> {
  const text = `
    select ${ENTRANT}
    from sign_in_codes c join people p on p.email = c.email join accounts a on a.id = p.account_id
    where c.browser_hash = $1 order by p.confirmed_at is null, a.suspended, a.name, p.id limit 50`;
  return db.query({ text }, [browserHash]);
}

/**
 * Uses the code up and signs in this person. Confirms the address, and ends links that others may have seen, with the
 * sessions they began. False when the code is used already, or the person does not have its address.
 */
export async function openByCode(
  db: Sql,
  { id, tokenHash, browser }: NewSession,
  browserHash: string,
  personId: string,
): Promise<boolean> {
  const text = `
    with used as (
      update sign_in_codes set used_at = now() where browser_hash = $4 and used_at is null returning email
    ), person as (
      update people p set signed_in_at = now(), confirmed_at = now() from used
      where p.id = $5 and p.email = used.email returning p.id
    ), links as (
      delete from sign_in_links l using person where l.person_id = person.id
    ), others as (
      delete from sessions s using person where s.person_id = person.id and not s.by_code
    )
    insert into sessions (id, token_hash, browser, person_id, by_code)
    select $1, $2, $3, id, true from person returning 1 as one`;
  return (await db.query({ text }, [id, tokenHash, browser, browserHash, personId])).length > 0;
}

/** Who the link would sign in, null for the operator; null when it is used or too old. */
export async function findLink(db: Sql, tokenHash: string): Promise<{ person: Entrant | null } | null> {
  const text = `
    select ${ENTRANT}
    from sign_in_links l left join people p on p.id = l.person_id left join accounts a on a.id = p.account_id
    where l.token_hash = $1 and l.expires_at > now()`;
  const [row] = await db.query<Entrant | { id: null }>({ text }, [tokenHash]);
  return row ? { person: row.id === null ? null : row } : null;
}

/** Uses the link up; false when it is used already or too old. */
export async function openByLink(
  db: Sql,
  { id, tokenHash, browser }: NewSession,
  linkHash: string,
): Promise<boolean> {
  const text = `
    with used as (
      delete from sign_in_links where token_hash = $4 and expires_at > now() returning person_id
    ), greeted as (
      update people p set signed_in_at = now() from used where p.id = used.person_id
    )
    insert into sessions (id, token_hash, browser, person_id, operator)
    select $1, $2, $3, person_id, person_id is null from used returning 1 as one`;
  return (await db.query({ text }, [id, tokenHash, browser, linkHash])).length > 0;
}

export const openForOperator = (db: Sql, { id, tokenHash, browser }: NewSession) =>
  builder(db).insert(sessions).values({ id, token_hash: tokenHash, browser, operator: true });

/** Ends the token's own session. */
export const closeSession = (db: Sql, tokenHash: string) =>
  builder(db).delete(sessions).where(eq(sessions.token_hash, tokenHash));
