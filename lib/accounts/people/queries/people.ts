import type { Sql, Statement } from '../../../db/sql.ts';
import { iso } from '../../../inventory/queries/iso-time.ts';
import { LOCK_ACCOUNT } from '../../keys/queries.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import { addAudit } from '../../queries/audit.ts';
import type { AccountPeople, People, Person, SessionEntry } from '../port.ts';
import { IS_LIVE, postgresSignIn } from './sign-in.ts';

export function postgresPeople(sql: Sql, now: () => number): People {
  const { forget, ...signIn } = postgresSignIn(sql, now);

  /** What is done and its audit row commit together; `work` returns one of UNDONE for what was not done after all. */
  async function audited<T>(audit: AuditEntry, work: (bound: Sql) => Promise<T>): Promise<T> {
    try {
      return await sql.transaction(async (bound) => {
        const result = await work(bound);
        if (!UNDONE.has(result)) await addAudit(bound, audit);
        return result;
      });
    } finally {
      forget();
    }
  }

  return {
    ...signIn,
    forget: async () => forget(),
    of: (accountId) => accountPeople(sql, accountId, audited),
    addLink: ({ tokenHash, personId, hours }, audit) =>
      audited(audit, async (bound) => {
        await bound.query(ADD_LINK, [tokenHash, personId, hours]);
      }),
    look: (sessionId, accountId, audit) =>
      audited(audit, async (bound) => {
        await bound.query(LOOK, [sessionId, accountId]);
      }),
    operatorSessions: () => sql.query<SessionEntry>(OPERATOR_SESSIONS),
    endOperatorSession: (id, audit) =>
      audited(audit, async (bound) => (await bound.query(END_OPERATOR_SESSION, [id])).length > 0),
    async sweep() {
      await sql.query(SWEEP_CODES);
      await sql.query(SWEEP_LINKS);
      return (await sql.query(SWEEP_SESSIONS)).length;
    },
  };
}

const UNDONE: ReadonlySet<unknown> = new Set([
  false,
  'absent',
  'last_owner',
  'too_many',
  'is_owner',
  'signed_in',
]);

type Audited = <T>(audit: AuditEntry, work: (bound: Sql) => Promise<T>) => Promise<T>;

function accountPeople(sql: Sql, accountId: string, audited: Audited): AccountPeople {
  /** Owners are locked first, so that of two that remove each other one stays. */
  const changeUnlessLast = (
    id: string,
    audit: AuditEntry,
    isOwnerAfter: boolean,
    change: Statement,
    more: string[],
  ) =>
    audited(audit, async (bound) => {
      const owners = await bound.query<{ id: string }>(LOCK_OWNERS, [accountId]);
      if (!isOwnerAfter && owners.length === 1 && owners[0]?.id === id) return 'last_owner' as const;
      const changed = await bound.query(change, [accountId, id, ...more]);
      return changed.length > 0 ? ('changed' as const) : ('absent' as const);
    });
  return {
    list: () => sql.query<Person>(LIST, [accountId]),
    sessions: () => sql.query<SessionEntry>(SESSIONS, [accountId]),
    invite: ({ id, email, role }, maxPeople, audit) =>
      audited(audit, async (bound) => {
        // Locked, so that two at once do not both take the last place.
        if (maxPeople !== null) await bound.query(LOCK_ACCOUNT, [accountId]);
        const [person] = await bound.query<Person>(INVITE, [id, accountId, email, role, maxPeople]);
        if (person === undefined) return 'too_many';
        if (person.role === 'owner' && role === 'member') return 'is_owner';
        return maxPeople !== null && person.signed_in_at !== null ? 'signed_in' : person;
      }),
    change: (id, role, audit) => changeUnlessLast(id, audit, role === 'owner', CHANGE, [role]),
    remove: (id, audit) => changeUnlessLast(id, audit, false, REMOVE, []),
    endSession: (id, audit) =>
      audited(audit, async (bound) => (await bound.query(END_SESSION, [accountId, id])).length > 0),
  };
}

const PERSON = `id, account_id, email, role, ${iso('created_at')} as created_at, ${iso('signed_in_at')} as signed_in_at,
    ${iso('confirmed_at')} as confirmed_at, alerts`;

const LIST: Statement = {
  text: `select ${PERSON} from people where account_id = $1 order by email limit 500`,
};

const SESSION = `s.id, s.person_id, s.browser, ${iso('s.created_at')} as created_at, ${iso('s.seen_at')} as seen_at`;

const SESSIONS: Statement = {
  text: `
    select ${SESSION} from sessions s join people p on p.id = s.person_id
    where p.account_id = $1 and ${IS_LIVE} order by s.seen_at desc limit 500`,
};

const OPERATOR_SESSIONS: Statement = {
  text: `select ${SESSION} from sessions s where s.operator and ${IS_LIVE} order by s.seen_at desc limit 500`,
};

const INVITE: Statement = {
  text: `
    insert into people (id, account_id, email, role, alerts)
    select $1, $2, $3, $4, not exists (select 1 from ended_alerts where account_id = $2 and email = $3)
    where $5::int is null or exists (select 1 from people where account_id = $2 and email = $3)
      or (select count(*) from people where account_id = $2) < $5::int
    on conflict (email, account_id) do update set role = people.role
    returning ${PERSON}`,
};

const LOCK_OWNERS: Statement = {
  text: `select id from people where account_id = $1 and role = 'owner' order by id for update`,
};

const CHANGE: Statement = {
  text: 'update people set role = $3 where account_id = $1 and id = $2 returning 1 as one',
};

const REMOVE: Statement = {
  text: `
    with removed as (
      delete from people where account_id = $1 and id = $2 returning email, alerts
    ), ended as (
      insert into ended_alerts (account_id, email) select $1, email from removed where not alerts
      on conflict (account_id, email) do nothing
    )
    select 1 as one from removed`,
};

const END_SESSION: Statement = {
  text: `
    delete from sessions s using people p
    where p.id = s.person_id and p.account_id = $1 and s.id = $2 returning 1 as one`,
};

const END_OPERATOR_SESSION: Statement = {
  text: 'delete from sessions where id = $1 and operator returning 1 as one',
};

const ADD_LINK: Statement = {
  text: `
    insert into sign_in_links (token_hash, person_id, expires_at)
    values ($1, $2, now() + make_interval(hours => $3::int))`,
};

const LOOK: Statement = { text: 'update sessions set account_id = $2 where id = $1 and operator' };

const SWEEP_CODES: Statement = {
  role: 'job',
  text: `delete from sign_in_codes where created_at < now() - interval '1 hour'`,
};

const SWEEP_LINKS: Statement = { role: 'job', text: 'delete from sign_in_links where expires_at < now()' };

const SWEEP_SESSIONS: Statement = {
  role: 'job',
  text: `delete from sessions s where not (${IS_LIVE}) returning 1 as one`,
};
