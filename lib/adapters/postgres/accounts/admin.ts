import { and, asc, DrizzleQueryError, eq, sql as fragment, gt, inArray, isNull, or } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pg-proxy';
import { accounts, apiKeys, audit } from '../../../../drizzle/schema/accounts.ts';
import { dealers } from '../../../../drizzle/schema/dealers.ts';
import { people } from '../../../../drizzle/schema/people.ts';
import type { Account, Accounts, ApiKey } from '../../../ports/accounts/accounts.ts';
import type { AuditEntry } from '../../../ports/accounts/audit.ts';
import type { AccountDealers, Dealer, DealerChange } from '../../../ports/accounts/dealers.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { enqueueMove } from '../jobs/enqueue.ts';
import { postgresOwnKeys } from './own-keys.ts';

/** Admin queries, by drizzle's builder over the same connection. Loaded on first use only. */
function builder(sql: Sql) {
  return drizzle(async (text, params) => ({
    rows: await sql.query<unknown[]>({ text, arrays: true }, params),
  }));
}

/** Drizzle wraps what fails in an error whose message lists the parameters, which do not belong in a log. */
async function unwrapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DrizzleQueryError && error.cause ? error.cause : error;
  }
}

type Builder = ReturnType<typeof builder>;

export function adminAccounts(
  sql: Sql,
): Omit<Accounts, 'authenticate' | 'accountOfKey' | 'forget' | 'isTest' | 'ownKeys'> {
  return {
    ...adminKeys(sql),
    create: (account, entry) =>
      audited(sql, entry, async (db, bound) => {
        const [row] = await db
          .insert(accounts)
          .values({
            id: account.id,
            name: account.name,
            tier: account.tier,
            limitMultiplier: account.limit_multiplier,
            minFeedCadenceMinutes: account.min_feed_cadence_minutes,
            inMarket: account.in_market && !account.test,
            test: account.test,
          })
          .returning();
        if (!row) throw new Error('the insert answered no row');
        if (bound.isDistributed) await bound.query(OWN_HOME, [row.id]);
        return toAccount(row);
      }),

    get: (id, entry) =>
      audited(sql, entry, async (db) => {
        const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
        return row ? toAccount(row) : null;
      }),

    list: ({ limit, after }, entry) =>
      audited(sql, entry, async (db) => {
        const rows = await db
          .select()
          .from(accounts)
          .where(after === null ? undefined : gt(accounts.id, after))
          .orderBy(asc(accounts.id))
          .limit(limit);
        return rows.map(toAccount);
      }),

    find: (q, { limit, after }, entry) =>
      audited(sql, entry, async (db) => {
        const place = after === null ? undefined : await placeAfter(db, after);
        const rows = await db
          .select()
          .from(accounts)
          .where(and(place, q === null ? undefined : isAbout(db, q)))
          .orderBy(fragment`lower(${accounts.name})`, asc(accounts.id))
          .limit(limit);
        return rows.map(toAccount);
      }),

    change: (id, change, entry) =>
      audited(sql, entry, async (db) => {
        const [row] = await db
          .update(accounts)
          .set({
            ...(change.name === undefined ? {} : { name: change.name }),
            ...(change.tier === undefined ? {} : { tier: change.tier }),
            ...(change.limit_multiplier === undefined ? {} : { limitMultiplier: change.limit_multiplier }),
            ...(change.min_feed_cadence_minutes === undefined
              ? {}
              : { minFeedCadenceMinutes: change.min_feed_cadence_minutes }),
            ...(change.suspended === undefined
              ? {}
              : {
                  suspended: fragment`${change.suspended} or coalesce(${accounts.eraseAt}, ${accounts.erasingAt}) is not null`,
                  operatorSuspended: change.suspended,
                }),
            ...(change.in_market === undefined
              ? {}
              : { inMarket: fragment`${change.in_market} and not ${accounts.test}` }),
            updatedAt: fragment`now()`,
          })
          .where(eq(accounts.id, id))
          .returning();
        return row ? toAccount(row) : null;
      }),
  };
}

/** Behind this account, in the order of names. */
async function placeAfter(db: Builder, id: string) {
  const [last] = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, id));
  return fragment`(lower(${accounts.name}), ${accounts.id}) > (lower(${last?.name ?? ''}), ${id})`;
}

function isAbout(db: Builder, q: string) {
  const ofPerson = db.select({ id: people.accountId }).from(people).where(eq(people.email, q.toLowerCase()));
  return or(
    fragment`position(lower(${q}) in lower(${accounts.name})) > 0`,
    eq(accounts.id, q),
    inArray(accounts.id, ofPerson),
  );
}

function adminKeys(sql: Sql): Pick<Accounts, 'createKey' | 'listKeys' | 'revokeKey'> {
  return {
    createKey: (key, maxKeys, entry) =>
      audited(sql, entry, async (db, bound) => {
        // Locked, so that two at once do not both take the last place.
        const [owner] = await db
          .select({ id: accounts.id })
          .from(accounts)
          .where(eq(accounts.id, key.accountId))
          .for('update');
        if (!owner) return null;
        if (maxKeys !== null && (await postgresOwnKeys(bound, key.accountId).count()) >= maxKeys)
          return 'too_many';
        const [row] = await db.insert(apiKeys).values(key).returning();
        return row ? toKey(row) : null;
      }),

    listKeys: (accountId, entry) =>
      audited(sql, entry, async (db) => {
        const rows = await db
          .select()
          .from(apiKeys)
          .where(eq(apiKeys.accountId, accountId))
          .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
        return rows.map(toKey);
      }),

    revokeKey: (id, entry) =>
      audited(sql, entry, async (db) => {
        await db
          .update(apiKeys)
          .set({ revokedAt: fragment`now()` })
          .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
        const [row] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id));
        return row !== undefined;
      }),
  };
}

/** On a cluster the view `account_homes` is of a table of its own. */
const OWN_HOME: Statement = { text: 'insert into own_homes (account_id) values ($1) on conflict do nothing' };

/** What an operator does and its audit row commit together. */
function audited<T>(sql: Sql, entry: AuditEntry, work: (db: Builder, bound: Sql) => Promise<T>): Promise<T> {
  const transaction = sql.transaction(async (bound) => {
    const db = builder(bound);
    const result = await work(db, bound);
    await db.insert(audit).values(entry);
    return result;
  });
  return unwrapped(transaction);
}

export function adminDealers(sql: Sql, accountId: string): Pick<AccountDealers, 'change' | 'list'> {
  return {
    async change(
      slug,
      { lead_email, lead_email_format, lead_webhook_url, time_zone, reply_minutes, ...change },
      secret,
    ) {
      const url = lead_webhook_url === undefined ? dealers.leadWebhookUrl : lead_webhook_url;
      const kept = secret.replaces
        ? fragment`${secret.value}::text`
        : fragment`coalesce(${dealers.leadWebhookSecret}, ${secret.value}::text)`;
      const changing = builder(sql)
        .update(dealers)
        .set({
          ...change,
          ...(lead_email === undefined ? {} : { leadEmail: lead_email }),
          ...(lead_email_format === undefined ? {} : { leadEmailFormat: lead_email_format }),
          ...(lead_webhook_url === undefined ? {} : { leadWebhookUrl: lead_webhook_url }),
          ...(time_zone === undefined ? {} : { timeZone: time_zone }),
          ...(reply_minutes === undefined ? {} : { replyMinutes: reply_minutes }),
          leadWebhookSecret: fragment`case when ${url}::text is not null then ${kept} end`,
          ...(secret.replaces ? KEEPS_OLD_SECRET : {}),
          ...(lead_webhook_url === null ? { leadWebhookOldSecret: null } : {}),
          leadWebhookCheck: fragment`case when ${url}::text = ${dealers.leadWebhookUrl} then ${dealers.leadWebhookCheck} end`,
          updatedAt: fragment`now()`,
          ...movedBy(change),
        })
        .where(and(eq(dealers.accountId, accountId), eq(dealers.slug, slug)))
        .returning();
      const [row] = await unwrapped(changing);
      if (row && row.movedAt === row.updatedAt) await sql.query(FOLLOW_MOVE, [accountId, slug]);
      return row ? { dealer: toDealer(row), secretTaken: row.leadWebhookSecret === secret.value } : null;
    },

    async list({ limit, after }) {
      const mine = eq(dealers.accountId, accountId);
      const reading = builder(sql)
        .select()
        .from(dealers)
        .where(after === null ? mine : and(mine, gt(dealers.slug, after)))
        .orderBy(asc(dealers.slug))
        .limit(limit);
      return (await unwrapped(reading)).map(toDealer);
    },
  };
}

const FOLLOW_MOVE: Statement = { text: enqueueMove('(select $2::text as slug) moved') };

/** Receivers have a day to take the new one. */
const KEEPS_OLD_SECRET = {
  leadWebhookOldSecret: fragment`${dealers.leadWebhookSecret}`,
  leadWebhookOldSecretUntil: fragment`now() + interval '24 hours'`,
};

function movedBy(change: DealerChange) {
  const moves = (['city', 'state', 'zip'] as const).flatMap((name) =>
    change[name] === undefined ? [] : [fragment`${dealers[name]} is distinct from ${change[name]}::text`],
  );
  if (moves.length === 0) return {};
  return {
    movedAt: fragment`case when ${fragment.join(moves, fragment` or `)} then (select now()) else ${dealers.movedAt} end`,
  };
}

const iso = (stamp: string) => new Date(stamp).toISOString();
const isoOrNull = (stamp: string | null) => (stamp === null ? null : iso(stamp));

function toAccount(row: typeof accounts.$inferSelect): Account {
  return {
    id: row.id,
    name: row.name,
    tier: row.tier,
    limit_multiplier: row.limitMultiplier,
    min_feed_cadence_minutes: row.minFeedCadenceMinutes,
    suspended: row.suspended,
    in_market: row.inMarket,
    test: row.test,
    erasing: row.eraseAt !== null || row.erasingAt !== null,
    erase_at: row.erasingAt === null ? isoOrNull(row.eraseAt) : null,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

function toKey(row: typeof apiKeys.$inferSelect): ApiKey {
  return {
    id: row.id,
    account_id: row.accountId,
    kind: row.kind,
    prefix: row.prefix,
    allowed_origins: row.allowedOrigins,
    name: row.name,
    scopes: row.scopes,
    dealers: row.dealer === null ? null : [row.dealer],
    expires_at: isoOrNull(row.expiresAt),
    created_at: iso(row.createdAt),
    created_by: row.createdBy,
    last_used_at: isoOrNull(row.lastUsedAt),
    last_origin: row.lastOrigin,
    revoked_at: isoOrNull(row.revokedAt),
  };
}

function toDealer(row: typeof dealers.$inferSelect): Dealer {
  const {
    accountId: _,
    movedAt: ___,
    followedAt: ____,
    createdAt,
    updatedAt,
    leadEmail,
    leadEmailFormat,
    leadWebhookUrl,
    leadWebhookSecret: __,
    leadWebhookOldSecret: _____,
    leadWebhookOldSecretUntil: ______,
    leadWebhookCheck,
    timeZone,
    replyMinutes,
    ...rest
  } = row;
  const leads = {
    lead_email: leadEmail,
    lead_email_format: leadEmailFormat,
    lead_webhook_url: leadWebhookUrl,
    lead_webhook_check: leadWebhookCheck,
  };
  const answers = { time_zone: timeZone, reply_minutes: replyMinutes };
  return { ...rest, ...answers, ...leads, created_at: iso(createdAt), updated_at: iso(updatedAt) };
}
