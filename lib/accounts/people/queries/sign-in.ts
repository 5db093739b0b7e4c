import type { Sql, Statement } from '../../../db/sql.ts';
import { iso } from '../../../inventory/queries/iso-time.ts';
import type { Role } from '../../access.ts';
import type { Account } from '../../ports/accounts.ts';
import { type MarkedLookUp, readAndMark } from '../../queries/read-and-mark.ts';
import { rememberBriefly } from '../../queries/remember.ts';
import type { Entrant, NewSession, PersonForCode, Session, SignIn } from '../port.ts';

/** Sessions by the hash of their token; `forget` is for whatever changes one in this process. */
export function postgresSignIn(sql: Sql, now: () => number): SignIn & { forget(): void } {
  const { read, forget } = rememberBriefly<Session>(now);
  const isDone = async (statement: Statement, values: readonly unknown[]) =>
    (await sql.query(statement, values)).length > 0;

  return {
    forget,
    authenticate: (tokenHash) =>
      read(tokenHash, async () => {
        const row = await readAndMark<SessionRow>(sql, BY_TOKEN, tokenHash);
        return row ? toSession(row) : null;
      }),
    async addCode({ browserHash, codeHash, email }) {
      const [row] = await sql.query<{ known: boolean }>(ADD_CODE, [browserHash, codeHash, email]);
      return row?.known ?? false;
    },
    async tryCode(browserHash) {
      const [row] = await sql.query<{ codeHash: string }>(TRY_CODE, [browserHash]);
      return row ?? null;
    },
    peopleForCode: (browserHash) => sql.query<PersonForCode>(PEOPLE_FOR_CODE, [browserHash]),
    openByCode: (browserHash, session, personId) =>
      isDone(OPEN_BY_CODE, [...toValues(session), browserHash, personId]),
    async readLink(tokenHash) {
      const [row] = await sql.query<Entrant | { id: null }>(READ_LINK, [tokenHash]);
      return row ? { person: row.id === null ? null : row } : null;
    },
    openByLink: (tokenHash, session) => isDone(OPEN_BY_LINK, [...toValues(session), tokenHash]),
    async openForOperator(session) {
      await sql.query(OPEN_FOR_OPERATOR, toValues(session));
    },
    async end(tokenHash) {
      await sql.query(END, [tokenHash]);
      forget();
    },
  };
}

const toValues = ({ id, tokenHash, browser }: NewSession) => [id, tokenHash, browser];

interface SessionRow {
  id: string;
  signed_in_ms: number;
  operator: boolean;
  by_code: boolean;
  is_mark_due: boolean;
  person_id: string | null;
  email: string;
  role: Role;
  account:
    | (Pick<Account, 'id' | 'name' | 'tier' | 'limit_multiplier'> &
        Pick<Account, 'min_feed_cadence_minutes' | 'suspended' | 'test' | 'erase_at'>)
    | null;
}

function toSession({ id, person_id, email, role, account, ...row }: SessionRow): Session {
  const person = person_id === null ? null : { id: person_id, email, role };
  return {
    id,
    person,
    account,
    isOperator: row.operator,
    isByCode: row.by_code,
    signedInMs: row.signed_in_ms,
  };
}

const MARK_DUE = `seen_at < now() - interval '1 minute'`;

/** Of the row `s`. */
export const IS_LIVE = `s.seen_at > now() - interval '7 days'
      and s.created_at > now() - case when s.operator then interval '12 hours' else interval '30 days' end`;

/** Marks the session as seen at most once a minute. */
const BY_TOKEN: MarkedLookUp = {
  read: {
    text: `
      select s.id, date_part('epoch', s.created_at) * 1000 as signed_in_ms, s.operator, s.by_code,
        s.${MARK_DUE} as is_mark_due, p.id as person_id, p.email, p.role,
        case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'tier', a.tier,
          'limit_multiplier', a.limit_multiplier, 'min_feed_cadence_minutes', a.min_feed_cadence_minutes,
          'suspended', a.suspended, 'test', a.test, 'erase_at', ${iso('a.erase_at')}) end as account
      from sessions s left join people p on p.id = s.person_id
        left join accounts a on a.id = coalesce(p.account_id, s.account_id)
      where s.token_hash = $1 and ${IS_LIVE}`,
  },
  mark: { text: `update sessions set seen_at = now() where token_hash = $1 and ${MARK_DUE}` },
};

/** The same work whether the address is known or not. */
const ADD_CODE: Statement = {
  text: `
    with added as (
      insert into sign_in_codes (browser_hash, code_hash, email) values ($1, $2, $3)
    )
    select exists (select 1 from people where email = $3) as known`,
};

const TRY_CODE: Statement = {
  text: `
    update sign_in_codes set tries = tries + 1
    where browser_hash = $1 and tries < 5 and used_at is null and created_at > now() - interval '10 minutes'
    returning code_hash as "codeHash"`,
};

const ENTRANT =
  'p.id, p.email, p.account_id as "accountId", a.name as account, p.signed_in_at is null as "isFirst"';

const PEOPLE_FOR_CODE: Statement = {
  text: `
    select ${ENTRANT}, p.confirmed_at is not null as "isConfirmed"
    from sign_in_codes c join people p on p.email = c.email join accounts a on a.id = p.account_id
    where c.browser_hash = $1 order by p.confirmed_at is null, a.suspended, a.name, p.id limit 50`,
};

const OPEN_BY_CODE: Statement = {
  text: `
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
    select $1, $2, $3, id, true from person returning 1 as one`,
};

const READ_LINK: Statement = {
  text: `
    select ${ENTRANT}
    from sign_in_links l left join people p on p.id = l.person_id left join accounts a on a.id = p.account_id
    where l.token_hash = $1 and l.expires_at > now()`,
};

const OPEN_BY_LINK: Statement = {
  text: `
    with used as (
      delete from sign_in_links where token_hash = $4 and expires_at > now() returning person_id
    ), greeted as (
      update people p set signed_in_at = now() from used where p.id = used.person_id
    )
    insert into sessions (id, token_hash, browser, person_id, operator)
    select $1, $2, $3, person_id, person_id is null from used returning 1 as one`,
};

const OPEN_FOR_OPERATOR: Statement = {
  text: 'insert into sessions (id, token_hash, browser, operator) values ($1, $2, $3, true)',
};

const END: Statement = { text: 'delete from sessions where token_hash = $1' };
