import { afterAll, beforeAll, expect, test } from 'vitest';
import { TENANT_TABLES } from '../../drizzle/schema/tenant-tables.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { distribute } from '../../lib/db/migrations/distribute.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../lib/db/sql.ts';
import { type Cluster, startCluster } from '../support/citus/cluster.ts';
import { searchFaults } from '../support/oracles/search-recount.ts';
import { withLaterIndex } from '../support/postgres/later-migration.ts';
import { uniqueSlug } from '../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../support/samples/trucks.ts';
import { signedIn } from '../support/service/dashboard.ts';
import { type Answer, startService, type TestAccount, type TestService } from '../support/service/service.ts';
import { provideStore } from '../support/service/store.ts';

/** A cluster of the file's own, since a worker of it is stopped. */

let cluster: Cluster;
let sql: Sql;
let service: TestService;
const rows = <Row>(text: string, params: unknown[] = []) => sql.query<Row>({ text, timeout: 'job' }, params);

beforeAll(async () => {
  cluster = await startCluster();
  sql = openPg({ url: cluster.url });
  await migrate(sql);
  expect(await distribute(sql, 4)).toContain('listings');
  provideStore({ sql, url: cluster.url });
  service = await startService();
});
afterAll(async () => {
  await sql?.close();
  await cluster?.stop();
});

/** The port of the worker that has the account. */
async function findWorker({ id }: TestAccount): Promise<number> {
  const [row] = await rows<{ port: number }>(
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
     where p.shardid = get_shard_id_for_distribution_column('listings', $1::text)`,
    [id],
  );
  return row?.port ?? 0;
}

async function accountsOnTwoWorkers(): Promise<[TestAccount, TestAccount]> {
  const one = await service.newAccount();
  for (;;) {
    const other = await service.newAccount();
    if ((await findWorker(one)) !== (await findWorker(other))) return [one, other];
  }
}

test('a repeated distribution changes nothing', async () => {
  expect(await distribute(sql)).toEqual([]);
});

test('a later migration builds an index on every worker without blocking writers', async () => {
  expect(await migrate(sql, withLaterIndex('later on listing_search (vin)'))).toBe(1);
  const built = await rows(
    `select result from run_command_on_placements('listing_search', $$
       select bool_and(indisvalid) from pg_index where indrelid = '%s'::regclass
       having count(*) filter (where indexrelid::regclass::text like 'later%%') = 1$$)`,
  );
  expect(built).toEqual(Array(4).fill({ result: 't' }));
});

test('an account that an older release made can write after the next distribution', async () => {
  const account = await service.newAccount();
  await rows('delete from own_homes where account_id = $1', [account.id]);
  const trucks = cleanTrucks(3);
  expect((await account.post({ records: trucks })).body.error).toMatchObject({ code: 'INTERNAL_ERROR' });
  await distribute(sql);
  expect((await account.post({ records: trucks })).body.summary).toMatchObject({ created: 3 });
});

test('no shard has statistics of its accounts', async () => {
  const shards = await rows<{ target: string }>(
    `select result as target from unnest($1::text[]) as tenant, run_command_on_placements(tenant,
       $$select coalesce(min(attstattarget), -1) from pg_attribute where attrelid = '%s'::regclass and attname = 'account_id'$$)`,
    [TENANT_TABLES],
  );
  expect(new Set(shards.map(({ target }) => target))).toEqual(new Set(['0']));
});

test('waits for locks and for workers that do not answer are bounded', async () => {
  const pool = openPg({ url: cluster.url });
  const text = `select current_setting('lock_timeout') as lock, current_setting('citus.node_connection_timeout') as node`;
  expect(await pool.query({ text })).toEqual([{ lock: '5s', node: '1s' }]);
  await pool.close();
});

test('a poll includes what a worker may not have shown yet', async () => {
  const account = await service.newAccount();
  await account.post({ records: cleanTrucks(3) });
  const [lastWrite] = await rows<{ xid: string }>(
    'select max(changed_xid::text::bigint)::text as xid from listing_search where account_id = $1',
    [account.id],
  );
  const oldest = async () => {
    const [row] = await rows<{ xid: string }>('select oldest_open_transaction()::text as xid');
    return Number(row?.xid);
  };
  expect(await oldest()).toBeLessThanOrEqual(Number(lastWrite?.xid));
  // What Citus does once a minute: looks whether prepared transactions have ended.
  await rows('select recover_prepared_transactions()');
  expect(await oldest()).toBeGreaterThan(Number(lastWrite?.xid));
});

const expectLater = ({ status, body, headers }: Answer) => {
  expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
};

test('while a worker is down its accounts get 500 with Retry-After; all others read and write', async () => {
  const [away, present] = await accountsOnTwoWorkers();
  const [truck, presentTruck] = [cleanTruck(), cleanTruck()];
  const dealer = { slug: uniqueSlug(), name: 'Lone Star Trucks', lead_email: 'sales@lonestar.example' };
  for (const account of [away, present])
    expect((await account.call('POST', '/v1/dealers', dealer)).status).toBe(201);
  await present.post(presentTruck);
  const port = await findWorker(away);
  await cluster.stopNode(port);
  // Another process of the service, which remembers no key and no session.
  const later = await startService();
  const send = (
    method: string,
    path: string,
    json?: unknown,
    { key }: TestAccount = present,
    headers: Record<string, string> = {},
  ) => later.call(method, path, { token: key, headers, ...(json === undefined ? {} : { json }) });
  const visit = (visitorId: string, message: string) => ({
    message,
    visitorId,
    dealerSlug: dealer.slug,
    email: 'jane@visitor.example',
    vin: presentTruck.vin,
  });

  expectLater(await send('GET', '/v1/inventory?limit=1', undefined, away));
  expectLater(await send('POST', '/v1/inventory', truck, away));
  expectLater(await send('POST', '/v1/inventory', { records: cleanTrucks(3) }, away));
  expectLater(await send('PATCH', '/v1/inventory', { vin: truck.vin, status: 'sold' }, away));
  expectLater(await send('POST', '/v1/widget/lead', visit('v-1', 'Is it there?'), away));

  const batch = { records: [...cleanTrucks(20), { ...presentTruck, price: 61_000 }, { vin: 'SHORT' }] };
  const firstAnswer = await send('POST', '/v1/inventory', batch, present, {
    'idempotency-key': 'while-away',
  });
  expect(firstAnswer.body.summary).toMatchObject({ received: 22, created: 20, merged: 1, rejected: 1 });
  const secondAnswer = await send('POST', '/v1/inventory', batch, present, {
    'idempotency-key': 'while-away',
  });
  expect(secondAnswer.body).toEqual(firstAnswer.body);
  expect((await send('POST', '/v1/inventory', truck)).status).toBe(201);
  const sale = { vin: truck.vin, status: 'sold' };
  expect((await send('PATCH', '/v1/inventory', sale)).status).toBe(200);
  const { body } = await send('PATCH', '/v1/inventory', { records: [{ ...sale, status: 'delisted' }] });
  expect(body.summary).toMatchObject({ updated: 1 });
  const leave = async (message: string) =>
    (await send('POST', '/v1/widget/lead', visit('v-2', message))).status;
  expect([await leave('Is it there?'), await leave('I would come on Monday.')]).toEqual([201, 200]);
  const feed = await send('POST', '/v1/feeds', { name: 'Export', url: 'https://dms.example/trucks.csv' });
  expect((await send('POST', `/v1/feeds/${feed.body.id}/runs`)).status).toBe(202);
  const answer = await send('GET', '/v1/inventory?make=Freightliner&limit=50');
  expect(answer.status).toBe(200);

  for (const path of [
    `/v1/inventory/${presentTruck.vin}`,
    '/v1/inventory?limit=1',
    '/v1/account',
    '/v1/issues',
    '/v1/leads',
  ])
    expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
  const seller = await signedIn(later, present);
  for (const page of ['', `/inventory/${presentTruck.vin}`, '/settings'])
    expect([page, (await seller.get(`/dashboard${page}`)).status]).toEqual([page, 200]);
  expect((await send('DELETE', `/v1/inventory/${truck.vin}`)).status).toBe(204);

  await cluster.startNode(port);
  await expect.poll(async () => (await away.post(truck)).status, { timeout: 30_000 }).toBe(201);
  expect(await searchFaults(present.id)).toEqual([]);
});
