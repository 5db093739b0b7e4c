import { expect, test } from 'vitest';
import { adminDealers } from '../../lib/adapters/postgres/accounts/admin.ts';
import type { Sql } from '../../lib/adapters/postgres/connection/sql.ts';
import { postgresSearch } from '../../lib/adapters/postgres/search/search.ts';
import { SORTS } from '../../lib/contract/search.ts';
import type { SearchFilters, SearchRequest } from '../../lib/ports/search.ts';
import { NO_FILTERS } from '../support/oracles/naive-search.ts';
import { type SqlText, withoutAccount, writtenSql } from '../support/postgres/sql-reader.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * Statements that cross accounts on purpose: jobs over what belongs to nobody any more, and the queues of images, leads and
 * runs of feeds, whose workers serve all accounts. What they learn goes on under its own account.
 */
const CROSS_ACCOUNT = [
  // Documents of an older record table, whoever's they are.
  /\$\{some\('<'\)\}|as "accountId", encode\(dedup_hash, 'hex'\) as "dedupHash", version,\s+doc, quality, images from listings/,
  /from idempotency_keys\s+\), swept as \(\s+delete from idempotency_keys k using sized s/,
  // Health: ages of what waits, and which keys sealed secrets.
  /^\s+select \(select \$\{AGE_MS\} from lead_deliveries where status = 'pending'\) as "oldestLeadMs"/,
  // The job of every minute: when each queue's first job is due.
  /^\s+select\s+\(select \$\{seconds\(`min\(moved_at\)/,
  // The operator's page: counts, and which accounts' feeds and deliveries failed.
  /^\s+with last_runs as \(\s+select distinct on \(r\.account_id, r\.feed_id\) r\.account_id, r\.feed_id, r\.status, r\.finished_at/,
  // Mails to owners that are due, and accounts that have issues: ids only; each is then read under its own account.
  /select account_id, kind from owner_alerts where \$\{scope\} due_at <= now\(\)/,
  /select account_id, 'issues', now\(\), now\(\) from issues where left_out_at is null group by account_id/,
  // Retention: what has been kept long enough.
  /delete from (leads where created_at|conversations where updated_at) < now\(\) - make_interval/,
  // The outbox: its workers serve all accounts; lead, dealer and secret are then read under the delivery's own.
  /with recursive dealers as \(\s+\(select account_id, dealer from lead_deliveries where \$\{scope\} status = 'pending'/,
  // Secrets stored in the clear: sealed by housekeeping, each under its own account.
  /from dealers\s+where lead_webhook_secret like/,
  // Whose images died lately: ids only; each account's listings are then regraded by a statement of its own.
  /^select distinct account_id as id from image_sources where status = 'failed'/,
  // Bytes of images are stored once for all accounts: hashes only.
  /select distinct encode\(hash, 'hex'\) as hash from stored_images\s+where account_id <> \$1/,
  /update stored_images set unused_since = now\(\) where unused_since is null and hash in/,
  // Which of the accounts with photos to fetch have stored as many bytes as they may: ids only.
  /select account_id, sum\(bytes\) as bytes from stored_images where account_id = any\(\$1::text\[\]\) group by account_id/,
  // Settled images whose listings are to count as changed: ids and hashes; each account's by statements of its own.
  /select account_id, url_hash, waiting from image_sources where status <> 'pending' and waiting is not null/,
  // Dealers that moved; their trucks' statements name the account.
  /from dealers\s+where moved_at is distinct from followed_at/,
  // Issues of long ago, and of each account more than are kept.
  /delete from issues i where last_seen_at < now\(\)/,
  /select account_id from issues group by account_id having count\(\*\) > \$1::int/,
  // Uploaded files of yesterday.
  /^delete from uploads where changed_at </,
  // Counts of calls that nobody asks for any more.
  /^\s*delete from key_usage where day < /,
  // Market data is about all sellers: one bounded scan, which leaves out the caller and rounds what it reads.
  /from listing_search where status in \(\$\{status\}\) and market_level \$\{level\} \$\{scope\}\s+order by market_level desc limit/,
  /from json_to_recordset\(\$1\) as p\(seller text, hash text\)\s+join listing_events e on e\.account_id = p\.seller/,
  /with recursive accounts as \(\s+\(select account_id from image_sources where status = 'pending' and claims = 0/,
  /select account_id, url_hash from image_sources\s+where \$\{scope\} status = 'pending' and claims \$\{claims\}/,
  /from \(select account_id, url_hash from image_sources where \$\{scope\} status = 'pending' and claims >= \$1::int/,
  /join image_sources s on s\.account_id = r\.account and s\.url_hash = /,
  // Feeds that are due, the longest waiting run of all, raw files left behind, and runs of long ago.
  /from feeds f join accounts a on a\.id = f\.account_id\s+where (\$\{scope\} )?f\.enabled and f\.next_run_at <= now\(\)/,
  /select account_id, id, due_at from feed_runs\s+where status in \('queued', 'running'\) and due_at <= now\(\)/,
  /from claimed c join feeds f on \$\{scope\} f\.account_id = c\.account_id and f\.id = c\.feed_id$/,
  // A cluster: which accounts have something due, by ids only; each then claims by a statement of its own.
  /^\s*select (distinct )?account_id( as id)? from (lead_deliveries|image_sources|owner_alerts|facet_deltas)/,
  /^\s+select r\.account_id as id from feed_runs r join accounts a/,
  /^\s+select account_id as "accountId", id as "runId", sha256 from feed_runs\s+where raw and finished_at </,
  /with old as \(\s+select r\.account_id, r\.id from feed_runs r\s+where r\.finished_at < now\(\) - interval '90 days'/,
];

const NOTHING_ASKED: SearchFilters = { ...NO_FILTERS, status: ['available', 'sold'] };
const EVERYTHING_ASKED: SearchFilters = {
  ...NOTHING_ASKED,
  make: ['Ford'],
  model: ['F-750', 'F-650'],
  year: [2020],
  class: ['class_7'],
  body_type: ['dump'],
  condition: ['used'],
  fuel_type: ['diesel'],
  state: ['TX'],
  dealer: ['a'],
  has_images: true,
  year_range: { min: 1, max: 2 },
  price_range: { min: 1, max: null },
  mileage_range: { min: null, max: 2 },
  quality_range: { min: 1, max: null },
  updated_since: { at: '2026-01-01T00:00:00Z', transaction: '1' },
  near: { latitude: 30, longitude: -97, miles: 100 },
  words: [[[{ text: 'ford', prefix: true }]]],
};

/** What drizzle's builder writes, recorded instead of run. */
async function builtSql(): Promise<SqlText[]> {
  const texts: SqlText[] = [];
  const recorder: Sql = {
    transactional: false,
    isDistributed: false,
    query: async ({ text }) => {
      texts.push({ where: 'admin.ts', text });
      return [];
    },
    transaction: (work) => work(recorder),
    close: async () => undefined,
  };
  const dealers = adminDealers(recorder, 'acc_1');
  await dealers.list({ limit: 2, after: null });
  await dealers.list({ limit: 2, after: 'a' });
  await dealers.change('a', { name: 'A' }, { value: 'whsec_', replaces: false });
  const search = postgresSearch(recorder).of('acc_1');
  for (const request of SEARCHES) await search.find(request).catch(() => undefined);
  return texts;
}

/** Every shape of the statement that a search puts together. */
const SEARCHES: SearchRequest[] = [NOTHING_ASKED, EVERYTHING_ASKED].flatMap((filters) =>
  SORTS.flatMap((sort) =>
    [null, { key: '1', dedupHash: '00' }].map((after) => ({ filters, sort, after, facets: true, limit: 5 })),
  ),
);

test('every SQL text on a tenant table names the account', async () => {
  const texts = [...writtenSql(ROOT), ...(await builtSql())];
  expect(texts.length).toBeGreaterThan(15);
  const checked = texts.filter(({ text }) => !CROSS_ACCOUNT.some((allowed) => allowed.test(text)));
  expect(checked.filter((text) => withoutAccount(text).length > 0)).toEqual([]);
});

test.each([
  ['a read without the account', 'select doc from listings where vin = $2'],
  [
    'an alias without the account',
    'select l.doc from listings l join dealers d on d.account_id = $1 where l.vin = $2',
  ],
  [
    'an account named only in a sub-select',
    'select * from listings where vin in (select vin from listings where account_id = $1)',
  ],
  [
    'an update by hash alone',
    "update listing_search s set status = 'sold' from changed c where s.dedup_hash = c.dedup_hash",
  ],
  [
    'an insert without the account',
    'insert into listing_events (dedup_hash, version) select hash, 1 from input',
  ],
  ['a delete without the account', 'delete from idempotency_keys where key = $2'],
  [
    'the account compared with a column instead of the caller',
    'select * from listings l where l.account_id = l.account_id',
  ],
  ['what a builder writes', 'select "slug" from "dealers" where "dealers"."slug" = $1'],
])('planted fault: %s is found', (_, text) => {
  expect(withoutAccount({ text })).not.toEqual([]);
});
