import { afterAll, expect, test } from 'vitest';
import { readAttention } from '../../../lib/accounts/overview.ts';
import { storedListings } from '../../../lib/inventory/queries/stored-listings.ts';
import { readIssueGroups } from '../../../lib/issues/queries.ts';
import { LockTimeout, WriteConflict } from '../../../lib/outside/faults.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService, type TestAccount } from '../../support/service/service.ts';

/** What is not listed now, and why: whatever was written, it is what the answers said last. */

/** What befalls the next transactions after their work, right before they commit; the last of them first. */
let faults: (Error | null)[] = [];
const server = await startFeedServer();
const service = await startService((base) => ({
  ...server.ports(base),
  db: {
    ...base.db,
    transaction: (work, by) =>
      base.db.transaction(async (bound) => {
        const result = await work(bound);
        const fault = faults.pop();
        if (fault) throw fault;
        return result;
      }, by),
  },
}));
afterAll(() => server.close());

type Row = Record<string, unknown>;
const read = async ({ call }: TestAccount, query = ''): Promise<Row[]> =>
  (await call('GET', `/v1/issues?limit=200${query}`)).body.issues;
const toKeys = (issues: Row[]) =>
  issues.map(({ source, vin, stock_number, code }) => `${source} ${vin ?? stock_number} ${code}`).sort();

const CHANGES: Record<string, Row> = {
  good: {},
  cheap: { price: 12 },
  old: { year: 1950 },
  nameless: { vin: null },
};
const wrong = (truck: Row, how: string): Row =>
  how === 'short' ? { ...truck, vin: String(truck.vin).slice(4) } : { ...truck, ...CHANGES[how] };

const TRUCKS = 6;
const truck = fc.nat({ max: TRUCKS - 1 });
const how = fc.constantFrom('good', 'good', 'cheap', 'old', 'short', 'nameless');
const act = fc.record({
  kind: fc.constantFrom('post', 'post', 'keyed', 'dry', 'feed', 'feed', 'killed', 'sold', 'erase'),
  lines: fc.array(fc.tuple(truck, how), { minLength: 1, maxLength: 8 }),
});

/** The last answer about each truck, by source. */
class Recount {
  known: { source: string; name: string; stock: unknown; isWhole: boolean; code: string }[] = [];

  add(source: string, { vin, stock_number: stock }: Row, code: string | null): void {
    const name = String(vin ?? stock);
    this.known = this.known.filter((one) => {
      if (code !== null) return one.source !== source || one.name !== name;
      // Listed from wherever: no source says that it is not.
      return one.name !== name && (one.isWhole || one.stock !== stock);
    });
    if (code !== null) this.known.push({ source, name, stock, isWhole: name.length === 17, code });
  }

  keys = () => this.known.map(({ source, name, code }) => `${source} ${name} ${code}`).sort();
}

/** In every file: one in which no truck can be identified is held. */
const NAMED = cleanTruck({ stock_number: 'S-0' });

interface World {
  dealerFeed: FeedLot;
  recount: Recount;
}

async function post(
  { dealerFeed: { account }, recount }: World,
  kind: string,
  records: Row[],
): Promise<void> {
  const headers = kind === 'keyed' ? { 'idempotency-key': `key-${JSON.stringify(records).length}` } : {};
  if (kind === 'keyed') faults = [new WriteConflict('as if another writer had been faster')];
  const path = `/v1/inventory?dry_run=${kind === 'dry'}`;
  const { body } = await account.call('POST', path, { records }, headers);
  faults = [];
  if (kind === 'dry' || body.error) return;
  for (const [index, record] of records.entries())
    recount.add('api', record, body.results[index].error?.code ?? null);
}

async function runFeed({ dealerFeed, recount }: World, kind: string, rows: Row[]): Promise<void> {
  dealerFeed.file.serve(
    toCsv([...rows, NAMED].map((row, at) => ({ ...row, note: `${dealerFeed.file.hits} ${at}` }))),
  );
  // The first transactions are those of the call which asks for the run, and of its beginning.
  if (kind === 'killed') faults = [new WriteConflict('as if the worker had been cut off'), null, null];
  const { status, rejects } = await dealerFeed.run();
  faults = [];
  expect(status).toBe('succeeded');
  const codes = new Map<number, string>(rejects.map(({ line, code }: Row) => [line, code]));
  recount.known = recount.known.filter(({ source }) => source !== dealerFeed.feed);
  for (const [index, row] of rows.entries()) recount.add(dealerFeed.feed, row, codes.get(index + 2) ?? null);
}

async function perform(
  world: World,
  trucks: Row[],
  { kind, lines }: { kind: string; lines: [number, string][] },
): Promise<void> {
  const rows = lines.map(([at, change]) => wrong(trucks[at] ?? {}, change));
  const { dealerFeed, recount } = world;
  if (kind === 'feed' || kind === 'killed') return runFeed(world, kind, rows);
  if (kind === 'sold' || kind === 'erase') {
    const { vin } = trucks[lines[0]?.[0] ?? 0] ?? {};
    if (kind === 'sold') await dealerFeed.account.patch({ vin, status: 'sold' });
    else await dealerFeed.account.call('DELETE', `/v1/inventory/${vin}`);
    recount.known = recount.known.filter(({ name }) => name !== vin);
    return;
  }
  return post(world, kind, rows);
}

test('after random posts, feeds, changes of status, erasures and writes cut off, issues are a recount of the answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 14 }), async (acts) => {
      const dealerFeed = await newLot(service, server, { misses_before_delist: 9 });
      const world = { dealerFeed, recount: new Recount() };
      const trucks = cleanTrucks(TRUCKS).map((one, at) => ({ ...one, stock_number: `S-${at + 1}` }));
      for (const each of acts) {
        await perform(world, trucks, each);
        expect(toKeys(await read(dealerFeed.account))).toEqual(world.recount.keys());
      }
    }),
    { numRuns: 3 },
  );
}, 120_000);

test('issues that another writer locks for long are written again, with their transaction if it is tried again', async () => {
  const account = await service.newAccount();
  const { db } = service.ports;
  const one = { vin: null, hasWholeVin: false, stockNumber: null, dealer: null, field: null, received: 1 };
  const open = [{ ...one, subject: 'ab'.repeat(32), code: 'VIN_MISSING', fix: '' }];
  const source = { id: 'api', runNo: null, keepsIssues: true };
  const write = (onConflict: 'throw' | 'relock') => {
    const locked = [new LockTimeout()];
    const query: typeof db.query = async (statement, values) => {
      for (const fault of locked.splice(0)) throw fault;
      return db.query(statement, values);
    };
    return storedListings({ ...db, query }, account.id, onConflict).writeIssues({ open, close: [] }, source);
  };
  await expect(write('throw')).rejects.toThrow(WriteConflict);
  expect(await read(account)).toEqual([]);
  await write('relock');
  expect(await read(account)).toHaveLength(1);
});

test('a truck that any source gets listed is an issue of none, and one that two sources have wrong counts once', async () => {
  const dealerFeed = await newLot(service, server);
  const { account } = dealerFeed;
  const [one, other] = [cleanTruck({ price: 12, stock_number: 'S-1' }), cleanTruck({ price: 12 })];
  const short = wrong(cleanTruck({ stock_number: 'S-2' }), 'short');
  const unnamed = cleanTruck({ vin: undefined, stock_number: 'S-3' });
  const unknown = cleanTruck({ vin: undefined });
  await dealerFeed.pull([one, other, short, unnamed]);
  await account.post({ records: [one, wrong(one, 'short'), short, unnamed, unknown] });
  expect(await read(account)).toHaveLength(9);
  expect(await readIssueGroups(service.ports.db, account.id, {})).toMatchObject([
    { code: 'PRICE_INVALID', count: 2 },
    { code: 'VIN_LENGTH', count: 2 },
    { code: 'VIN_MISSING', count: 2 },
  ]);
  expect((await readAttention(service.ports.db, account.id)).not_listed).toBe(6);
  await account.post({ ...one, price: 50_000 });
  expect(toKeys(await read(account, '&code=PRICE_INVALID'))).toEqual([
    `${dealerFeed.feed} ${other.vin} PRICE_INVALID`,
  ]);
});

test('an issue says what to change, how often and when it was seen', async () => {
  const account = await service.newAccount();
  const { vin, ...others } = cleanTruck({ price: 12, stock_number: 'S-1', dealer: 'north-lot' });
  for (const price of [13, 12]) await account.post({ records: [{ vin, ...others, price }] });
  const issues = await read(account);
  expect(issues).toMatchObject([
    {
      ...{ source: 'api', vin, stock_number: 'S-1', dealer: 'north-lot', times: 2 },
      ...{ code: 'PRICE_INVALID', field: 'price', received: 12 },
      fix: expect.stringContaining('send the asking price'),
    },
  ]);
  expect(String(issues[0]?.last_seen_at) > String(issues[0]?.first_seen_at)).toBe(true);
});

test('issues are narrowed by source, code, dealer and VIN, walked page by page, and saved as CSV without formulas', async () => {
  const account = await service.newAccount();
  const cheap = cleanTrucks(5, { price: 12, dealer: 'a', stock_number: '=1+1' });
  await account.post({ records: [...cheap, ...cleanTrucks(2, { year: 1950, dealer: 'b' })] });
  for (const [query, length] of [
    ['source=api', 7],
    ['source=upload', 0],
    ['code=PRICE_INVALID', 5],
    ['dealer=b', 2],
    [`vin=${cheap[0]?.vin.toLowerCase()}`, 1],
  ] as const)
    expect(await read(account, `&${query}`), query).toHaveLength(length);
  const walked: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await account.call('GET', `/v1/issues?limit=3${cursor && `&cursor=${cursor}`}`);
    walked.push(...body.issues);
    cursor = body.next_cursor;
  }
  expect(walked).toEqual(await read(account));
  const { text, headers } = await account.call('GET', '/v1/issues?dealer=a&format=csv');
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  expect(text.match(/,'=1\+1,/g)).toHaveLength(5);
});

test('a key for one dealer sees the issues of that dealer only', async () => {
  const account = await service.newAccount();
  for (const slug of ['a', 'b']) await account.call('POST', '/v1/dealers', { slug, name: slug });
  const [one, other] = [cleanTruck({ price: 12 }), cleanTruck({ price: 12, dealer: 'b' })];
  const json = { account_id: account.id, kind: 'secret', dealers: ['a'] };
  const { key: token } = (await service.admin('POST', '/api/admin/keys', json)).body;
  // Of a key's own rejects none has to name its dealer.
  await service.call('POST', '/v1/inventory', { token, json: { records: [one] } });
  await account.post({ records: [other] });
  for (const [query, vins] of [
    ['', [{ vin: one.vin }]],
    ['?dealer=b', []],
  ] as const)
    expect((await service.call('GET', `/v1/issues${query}`, { token })).body.issues).toMatchObject(vins);
});

test('a feed that is deleted takes its issues along, and a row that cannot be read is one', async () => {
  const dealerFeed = await newLot(service, server, { format: 'csv' });
  const good = cleanTruck();
  dealerFeed.file.serve(`${toCsv([good]).trimEnd()}\n${toCsv([cleanTruck()]).split('\n')[1]},a,b,c\n`);
  await dealerFeed.run();
  expect(await read(dealerFeed.account)).toMatchObject([{ code: 'ROW_RAGGED' }]);
  await dealerFeed.account.call('DELETE', `/v1/feeds/${dealerFeed.feed}`);
  expect(await read(dealerFeed.account)).toEqual([]);
});

test('after 30 days housekeeping forgets what nobody sent again, but not what a feed’s file still has', async () => {
  const dealerFeed = await newLot(service, server);
  const { account } = dealerFeed;
  await dealerFeed.pull(cleanTrucks(1, { price: 12 }));
  await account.post({ records: cleanTrucks(2, { price: 12 }) });
  await queryRows("update issues set last_seen_at = now() - interval '31 days' where account_id = $1", [
    account.id,
  ]);
  await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET });
  expect(await read(account)).toMatchObject([{ source: dealerFeed.feed }]);
});

test('a write that opens issues deletes the oldest beyond 10,000, and none that it opens or closes', async () => {
  const account = await service.newAccount();
  // V1 to V12500, each a microsecond newer than the one before.
  await queryRows(
    `insert into issues (account_id, source, subject, vin, has_whole_vin, code, fix, last_seen_at)
    select $1, 'api', sha256(n::text::bytea), 'V' || n, false, 'PRICE_INVALID', 'Fix ' || n || '.',
      timestamptz '2026-01-01' + n * interval '1 microsecond'
    from generate_series(1, 12500) n`,
    [account.id],
  );
  const [closed, ...opened] = cleanTrucks(3, { price: 12 });
  await account.post({ records: [closed, ...opened] });
  await queryRows(
    `update issues set last_seen_at = '2000-01-01' where account_id = $1 and length(vin) = 17`,
    [account.id],
  );
  await account.post({ records: [{ ...closed, price: 50_000 }, ...opened] });
  const rows = await queryRows<{ vin: string; times: number }>(
    'select vin, times from issues where account_id = $1 order by last_seen_at, vin',
    [account.id],
  );
  expect([rows.length, rows[0]?.vin]).toEqual([10_002, 'V2501']);
  expect(rows.slice(-2)).toMatchObject([{ times: 2 }, { times: 2 }]);
});
