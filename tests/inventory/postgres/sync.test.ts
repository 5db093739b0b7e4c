import { beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../../lib/db/sql.ts';
import { ingestFor } from '../../../lib/inventory/ingest-listings.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';
import { provideStore } from '../../support/service/store.ts';

/** A poller beside writers, on a real server: what commits late is found all the same. */

const { sql, url } = await suiteDatabase();
let account: TestAccount;
provideStore({ sql, url });
const service = await startService();
beforeEach(async () => {
  account = await service.newAccount();
});
const write = (db: Sql, records: readonly Truck[]) =>
  ingestFor({ ...service.ports, db }, account.id, { records, observedAt: null, dryRun: false });

/** All pages of one poll. */
async function poll(since: string | null, pageSize = 100) {
  const vins: string[] = [];
  const query = new URLSearchParams({ limit: String(pageSize), fields: 'vin,updated_at' });
  if (since !== null) query.set('updated_since', since);
  let syncedUntil: string | null = null;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text } = await account.call(
      'GET',
      `/v1/inventory?${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status, text).toBe(200);
    vins.push(...body.listings.map(({ vin }: Truck) => vin));
    syncedUntil ??= body.synced_until;
    expect(body.synced_until, 'the same on every page').toBe(syncedUntil);
    cursor = body.next_cursor;
  }
  return { vins, syncedUntil: String(syncedUntil) };
}

const sorted = (trucks: readonly Truck[]) => trucks.map(({ vin }) => vin).sort();

test('a transaction that was open during a poll is found by the next', async () => {
  const [slow, quick] = [cleanTrucks(30), cleanTrucks(20)];
  const first = await sql.transaction(async (open) => {
    await write(open, slow);
    await account.post({ records: quick });
    return poll(null, 7);
  });
  expect(first.vins.sort()).toEqual(sorted(quick));
  expect((await poll(first.syncedUntil, 7)).vins).toEqual(expect.arrayContaining(sorted(slow)));
});

test('after a restore from another server polls miss and repeat nothing', async () => {
  const [first, later] = [cleanTruck(), cleanTruck()];
  await account.post(first);
  await sql.query({ text: `update listing_search set changed_xid = '999999999' where account_id = $1` }, [
    account.id,
  ]);
  const before = await poll(null);
  await account.post(later);
  const ofTheOldServer = before.syncedUntil.replace(/\d{13}Z$/, '0000999999998Z');
  expect((await poll(ofTheOldServer)).vins).toEqual([later.vin]);
  expect((await poll(before.syncedUntil)).vins).toEqual([later.vin]);
});
