import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPg } from '../../lib/adapters/postgres/connection/pg.ts';
import type { Sql } from '../../lib/adapters/postgres/connection/sql.ts';
import { distribute } from '../../lib/adapters/postgres/migrations/distribute.ts';
import { migrate } from '../../lib/adapters/postgres/migrations/migrate.ts';
import { type Cluster, startCluster } from '../support/citus/cluster.ts';
import { cleanTruck, cleanTrucks } from '../support/samples/trucks.ts';
import { signedIn } from '../support/service/dashboard.ts';
import { startService, type TestAccount, type TestService } from '../support/service/service.ts';
import { provideStore } from '../support/service/store.ts';

/** A cluster of the file's own, since a worker of it is stopped. */

let cluster: Cluster;
let sql: Sql;
let service: TestService;
const rows = <Row>(text: string, params: unknown[] = []) => sql.query<Row>({ text }, params);

beforeAll(async () => {
  cluster = await startCluster();
  sql = openPg({ url: cluster.url, isDistributed: true });
  await migrate(sql);
  expect(await distribute(sql, 4)).toContain('listings');
  provideStore({ name: 'citus', sql, url: cluster.url });
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

test('what is distributed already is left as it is', async () => {
  expect(await distribute(sql)).toEqual([]);
});

test('a poll goes back to what a worker may not have shown yet', async () => {
  const account = await service.newAccount();
  await account.post({ records: cleanTrucks(3) });
  const [written] = await rows<{ xid: string }>(
    'select max(changed_xid::text::bigint)::text as xid from listing_search where account_id = $1',
    [account.id],
  );
  const oldest = async () => {
    const [row] = await rows<{ xid: string }>('select oldest_open_transaction()::text as xid');
    return Number(row?.xid);
  };
  expect(await oldest()).toBeLessThanOrEqual(Number(written?.xid));
  // What Citus does once a minute: looks whether prepared transactions have ended.
  await rows('select recover_prepared_transactions()');
  expect(await oldest()).toBeGreaterThan(Number(written?.xid));
});

test('without a worker its accounts are asked to come back, and so are writers; all others read on', async () => {
  const [away, present] = await accountsOnTwoWorkers();
  const [truck, kept] = [cleanTruck(), cleanTruck()];
  await present.post(kept);
  const port = await findWorker(away);
  await cluster.stopNode(port);
  // Another process of the service, which remembers no key and no session.
  const later = await startService();
  const read = (path: string) => later.call('GET', path, { token: present.key });

  const refused = [
    await away.call('GET', '/v1/inventory?limit=1'),
    await away.post(truck),
    // Citus sends what a batch inserts to all workers.
    await present.post(truck),
  ];
  for (const { status, body, headers } of refused) {
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const path of [
    `/v1/inventory/${kept.vin}`,
    '/v1/inventory?limit=1',
    '/v1/account',
    '/v1/issues',
    '/v1/leads',
  ])
    expect([path, (await read(path)).status]).toEqual([path, 200]);
  const seller = await signedIn(later, present);
  for (const page of ['', `/inventory/${kept.vin}`, '/settings'])
    expect([page, (await seller.get(`/dashboard${page}`)).status]).toEqual([page, 200]);

  await cluster.startNode(port);
  for (const account of [away, present])
    await expect.poll(async () => (await account.post(truck)).status, { timeout: 30_000 }).toBe(201);
});
