import { expect, test } from 'vitest';
import type { Sql } from '../../lib/db/sql.ts';
import type { SearchFilters, SearchRequest } from '../../lib/search/port.ts';
import { postgresSearch } from '../../lib/search/queries/search.ts';
import { SORTS } from '../../lib/search/schemas.ts';
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
  // The queue: whose turn it is and what is due, by ids, kinds and times; what waits without a job; health.
  /from jobs j join accounts a on a\.id = j\.account_id/,
  /^select [a-z]\.account_id, '?\$?\{?[\w']+\}?'?, .* from (feeds|feed_runs|lead_deliveries|owner_alerts|dealers)/,
  /^select distinct s\.account_id, 'photos', encode\(hash, 'hex'\), now\(\) from image_sources/,
  /insert into jobs \(account_id, kind, key, due_at\) \$\{select\}\s+on conflict \(account_id, kind, key\) do nothing/,
  // The operator's page: counts, and which accounts' feeds and deliveries failed.
  /^\s+with last_runs as \(\s+select distinct on \(r\.account_id, r\.feed_id\) r\.account_id, r\.feed_id, r\.status, r\.finished_at/,
  // Accounts that have issues after a day without any, by ids.
  /insert into jobs as j \(account_id, kind, key, due_at\)\s+select i\.account_id, 'alert', 'issues'/,
  /select account_id, 'issues', now\(\) from issues where left_out_at is null group by account_id/,
  // Retention: what has been kept long enough.
  /delete from (leads where created_at|conversations where updated_at) < now\(\) - make_interval/,
  // Spreading accounts over a cluster: their ids.
  /insert into own_homes \(account_id\) select id from accounts|view account_homes as select account_id from own_homes/,
  // Whose images died lately: ids only; each account's listings are then regraded by a statement of its own.
  /^select distinct account_id as id from image_sources where status = 'failed'/,
  // Bytes of images are stored once for all accounts: hashes only.
  /select distinct encode\(hash, 'hex'\) as hash from stored_images\s+where account_id <> \$1/,
  /update stored_images set unused_since = now\(\) where unused_since is null and hash in/,
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
  // Raw files that runs left behind, and runs of long ago.
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

/** What a search puts together, recorded instead of run. */
async function builtSql(): Promise<SqlText[]> {
  const texts: SqlText[] = [];
  const recorder: Sql = {
    transactional: false,
    query: async ({ text }) => {
      texts.push({ where: 'search.ts', text });
      return [];
    },
    transaction: (work) => work(recorder),
    close: async () => undefined,
  };
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
])('planted fault: %s is found', (_, text) => {
  expect(withoutAccount({ text })).not.toEqual([]);
});
