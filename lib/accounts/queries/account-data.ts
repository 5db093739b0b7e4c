import { ACCOUNT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import { START_MOMENT } from '../../db/connection/moments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { RawFile } from '../../feeds/feed.ts';
import type { UnusedImage } from '../../images/image.ts';
import type { AccountData, ExportRow } from '../ports/account-data.ts';
import { addAudit } from './audit.ts';

/** What an export holds, in this order. */
const EXPORTED = [
  ...(['dealers', 'people', 'feeds', 'listings', 'listing_events', 'issues'] as const),
  ...(['leads', 'lead_updates', 'lead_deliveries', 'conversations', 'messages', 'audit'] as const),
];
const SECRET = '{password,private_key,lead_webhook_secret,lead_webhook_old_secret,hash}';
const PART = 500;

export function postgresAccountData(sql: Sql): AccountData {
  return {
    erasing: async () => (await sql.query<{ id: string }>(ERASING)).map(({ id }) => id),
    of: (accountId) => ({
      read: async () => readParts(sql, accountId),
      async askErasure(days, audit) {
        await sql.transaction(async (bound) => {
          await bound.query(ASK_ERASURE, [accountId, days]);
          await addAudit(bound, audit);
          // The account's own rows go with it: the operator's names its id, and nothing else of it.
          await addAudit(bound, { ...audit, accountId: null, actor: 'owner' });
        });
      },
      undoErasure: (audit) =>
        sql.transaction(async (bound) => {
          const isUndone = (await bound.query(UNDO_ERASURE, [accountId])).length > 0;
          if (isUndone) await addAudit(bound, audit);
          return isUndone;
        }),
      rawFiles: (max) => sql.query<RawFile>(RAW_FILES, [accountId, max]),
      async fileRemoved(runId) {
        await sql.query(FILE_REMOVED, [accountId, runId]);
      },
      images: (max) => sql.query<UnusedImage>(IMAGES, [accountId, max]),
      async removeRows(max) {
        let removed = 0;
        for (const table of ACCOUNT_TABLES) {
          if (removed >= max) break;
          removed += (await sql.query(removeFrom(table), [accountId, max - removed])).length;
        }
        return removed;
      },
      finish: async () => (await sql.query(FINISH, [accountId])).length > 0,
    }),
  };
}

/** In the order of the rows' places, which costs no sorting. */
async function* readParts(sql: Sql, accountId: string): AsyncIterable<ExportRow[]> {
  for (const table of EXPORTED) {
    for (let after = '(0,0)'; ; ) {
      const found = await sql.query<{ place: string; row: Record<string, unknown> }>(readFrom(table), [
        accountId,
        after,
        PART,
      ]);
      if (found.length > 0) yield found.map(({ row }) => ({ table, row }));
      if (found.length < PART) break;
      after = found.at(-1)?.place ?? after;
    }
  }
}

const readFrom = (table: string): Statement => ({
  role: 'job',
  text: `
    select t.ctid::text as place, to_jsonb(t) - '${SECRET}'::text[] as row from ${table} t
    where t.account_id = $1 and t.ctid > $2::tid order by t.ctid limit $3::int`,
});

const removeFrom = (table: string): Statement => ({
  role: 'job',
  text: `
    delete from ${table} where account_id = $1
      and ctid = any (array(select ctid from ${table} where account_id = $1 limit $2::int)) returning 1 as one`,
});

const ERASING: Statement = {
  role: 'job',
  text: `
    update accounts set erasing_at = coalesce(erasing_at, moment.at) from ${START_MOMENT}
    where erase_at <= now() or erasing_at is not null returning id`,
};

const ASK_ERASURE: Statement = {
  text: `
    update accounts set erase_at = coalesce(erase_at, week.ends), suspended = true
    from (select now() + make_interval(days => $2::int) as ends) week where id = $1`,
};

const UNDO_ERASURE: Statement = {
  text: `
    update accounts set erase_at = null, suspended = operator_suspended
    where id = $1 and erase_at is not null and erasing_at is null returning 1 as one`,
};

const RAW_FILES: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", id as "runId", sha256 from feed_runs
    where account_id = $1 and raw and sha256 is not null order by id limit $2::int`,
};

const FILE_REMOVED: Statement = {
  role: 'job',
  text: 'update feed_runs set raw = false where account_id = $1 and id = $2',
};

/** Marked as unused, so that they can be removed. */
const IMAGES: Statement = {
  role: 'job',
  text: `
    with found as (
      select hash from stored_images where account_id = $1 order by hash limit $2::int
    ), unnamed as (
      delete from image_sources where account_id = $1 and image_hash in (select hash from found)
    )
    update stored_images set unused_since = coalesce(unused_since, moment.at) from ${START_MOMENT}
    where account_id = $1 and hash in (select hash from found)
    returning encode(hash, 'hex') as hash, original, renditions`,
};

/** No function runs for longer than five minutes: what still wrote when it began has ended by then. */
const FINISH: Statement = {
  role: 'job',
  text: `
    with gone as (
      update sessions set account_id = null where account_id = $1
    )
    delete from accounts where id = $1 and erasing_at < now() - interval '6 minutes' returning 1 as one`,
};
