import { expect, test } from 'vitest';
import { listAudit, sweepAudit } from '../../../lib/accounts/queries/audit.ts';
import { sweepIdempotencyKeys } from '../../../lib/http/idempotency.ts';
import { thinHistories } from '../../../lib/inventory/queries/outdated-listings.ts';
import { readOwnHistories } from '../../../lib/market/queries/histories.ts';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

/** What is kept of the past has bounds, so that nobody fills the database with it, or slows down who reads it. */

const service = await startService();

/** A truck with changes of price, so many days ago each, as the API would have written them one after the other. */
async function addTruck(account: TestAccount, daysAgo: readonly number[]): Promise<string> {
  const { body } = await account.post(goodTruck({ price: 50_000 }));
  await queryRows(
    `insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price)
     select $1, decode($2, 'hex'), n + 1, 'changed', date_trunc('day', now()) - make_interval(days => d::int)
       + make_interval(secs => n), 50000 + n, 50001 + n
     from json_array_elements_text($3::json) with ordinality as t(d, n) returning 1 as one`,
    [account.id, body.dedup_hash, JSON.stringify(daysAgo)],
  );
  return body.vin;
}

test('the last price of each past day is kept, and all prices of the last two days', async () => {
  const account = await service.newAccount();
  await addTruck(account, [9, 9, 9, 5, 5, 0, 0]);
  const { db } = service.ports;
  expect(await thinHistories(db, account.id, 2)).toBe(2);
  expect(await thinHistories(db, account.id, 100)).toBe(1);
  const [left] = await queryRows(
    'select array_agg(version::int order by version) as versions from listing_events where account_id = $1',
    [account.id],
  );
  expect(left).toEqual({ versions: [1, 4, 6, 7, 8] });
});

test('a listing shows its newest 200 prices, and trends read its last 60 steps and its first', async () => {
  const account = await service.newAccount();
  const vin = await addTruck(account, Array(300).fill(0));
  const { price_history: prices } = await account.read(vin);
  expect(prices).toHaveLength(200);
  expect(prices.at(-1).price).toBe(50_301);
  const [sample] = await readOwnHistories(service.ports.db, account.id, {}, 0);
  const steps = sample?.trucks[0]?.steps ?? [];
  expect([steps.length, steps[0]?.kind, steps.at(-1)?.price]).toEqual([61, 'created', 50_301]);
});

test('the newest answers under idempotency keys are kept, up to a size per account', async () => {
  const { id } = await service.newAccount();
  await queryRows(
    `insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
     select $1, 'key-' || n, '', 200, repeat('x', 1000), now() - make_interval(mins => n)
     from generate_series(1, 4) n returning 1 as one`,
    [id],
  );
  await sweepIdempotencyKeys(service.ports.db, 2_500);
  expect(
    await queryRows('select key from idempotency_keys where account_id = $1 order by key', [id]),
  ).toEqual([{ key: 'key-1' }, { key: 'key-2' }]);
});

test('activity is kept for thirteen months', async () => {
  const { id } = await service.newAccount();
  await queryRows(
    `insert into audit (action, target, request_id, detail, account_id, at)
     select n || ' months ago', '', '', '{}', $1, now() - make_interval(months => n)
     from generate_series(12, 14, 2) n returning 1 as one`,
    [id],
  );
  await sweepAudit(service.ports.db, 13);
  const left = await listAudit(service.ports.db, id, { limit: 50, after: null });
  const actions = left.map(({ action }) => action);
  expect(actions).toContain('12 months ago');
  expect(actions).not.toContain('14 months ago');
});
