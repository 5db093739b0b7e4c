import { expect } from 'vitest';
import { marketFaults } from '../support/oracles/market-recount.ts';
import { searchFaults } from '../support/oracles/search-recount.ts';
import { CRON_SECRET } from '../support/service/service.ts';
import type { Known, Seller } from './seller.ts';
import type { World } from './world.ts';

/** What must hold when every fault is over. */

const CRONS = ['due', 'housekeeping'] as const;

export const callCrons = ({ service }: World): Promise<unknown> =>
  Promise.all(CRONS.map((cron) => service.call('GET', `/api/cron/${cron}`, { token: CRON_SECRET })));

const rows = <Row>({ sql }: World, text: string, params: readonly unknown[] = []) =>
  sql.query<Row>({ text }, params);

/** A feed’s job is its schedule, which stays; what it runs is in `feed_runs`. */
const STUCK = `
  select 'delivery' as what, lead_id as id, last_error as why from lead_deliveries where status = 'pending'
  union all select kind, key, tries::text from jobs where kind not in ('alert', 'feed')
  union all select 'run', id, status from feed_runs where status in ('queued', 'running')`;

/** Hours go by: what waits is due, and leases of workers that were cut off have run out. */
async function letTimePass(world: World): Promise<void> {
  await rows(world, 'update jobs set due_at = now(), leased_until = null');
  await rows(world, `update lead_sends set at = at - interval '1 hour'`);
  await rows(world, 'update leases set expires_at = now()');
}

/** Works off every queue; throws when something never leaves it. */
export async function drainQueues(world: World): Promise<void> {
  for (let round = 0; ; round += 1) {
    await world.settle();
    const stuck = await rows(world, STUCK);
    if (stuck.length === 0) return;
    if (round === 12) throw new Error(`stuck: ${JSON.stringify(stuck.slice(0, 5))}`);
    await letTimePass(world);
    await callCrons(world);
  }
}

interface Stored {
  vin: string;
  price: number;
  status: string;
  prices: number[];
}

/** Every acknowledged write is there, once, and nothing stands that was not sent. */
export async function checkListings(world: World, seller: Seller): Promise<void> {
  const stored = await rows<Stored>(
    world,
    `select vin, price, status, (select coalesce(json_agg(e.new_price order by e.version), '[]') from listing_events e
        where e.account_id = l.account_id and e.dedup_hash = l.dedup_hash and e.kind in ('created', 'changed', 'relisted'))
        as prices
      from listings l where account_id = $1 and version > 0 and source_provider_id = ''`,
    [seller.account.id],
  );
  const byVin = new Map(stored.map((row) => [row.vin, row]));
  for (const sellerTruck of seller.trucks) checkTruck(sellerTruck, byVin.get(sellerTruck.truck.vin));
}

function checkTruck(sellerTruck: Known, stored: Stored | undefined): void {
  const { truck, acknowledged, uncertain, status } = sellerTruck;
  const context = JSON.stringify({ vin: truck.vin, acknowledged, uncertain, status, stored });
  if (!stored) {
    expect(acknowledged, context).toEqual([]);
    return;
  }
  const prices = [acknowledged.at(-1), ...uncertain.map(({ price }) => price)];
  expect(prices, context).toContain(stored.price);
  expect([status, ...uncertain.map((change) => change.status)], context).toContain(stored.status);
  for (const price of acknowledged)
    expect(
      stored.prices.filter((entry) => entry === price).length,
      `${price} once: ${context}`,
    ).toBeGreaterThan(0);
  // A price stands twice only where a truck came back at it, which no call of a seller does.
  expect(new Set(stored.prices).size, `doubled: ${context}`).toBe(stored.prices.length);
  sellerTruck.uncertain = [];
  sellerTruck.status = stored.status;
  if (acknowledged.at(-1) !== stored.price) acknowledged.push(stored.price);
}

/** Every acknowledged lead stands once and was mailed; nothing was mailed that is no lead. */
export async function checkLeads(world: World, sellers: readonly Seller[]): Promise<void> {
  const stored = await rows<{ id: string; visitor: string; delivery: string }>(
    world,
    `select l.id, l.visitor_id as visitor, (select string_agg(d.status, ',') from lead_deliveries d
      where d.account_id = l.account_id and d.lead_id = l.id) as delivery from leads l`,
  );
  for (const { visitorId, acknowledged } of sellers.flatMap(({ leads }) => leads)) {
    const standing = stored.filter(({ visitor }) => visitor === visitorId);
    expect(standing.length, visitorId).toBeLessThanOrEqual(1);
    if (acknowledged) expect(standing, visitorId).toMatchObject([{ delivery: 'delivered' }]);
  }
  const mailed = world.smtp.mails.map(({ messageId }) => messageId?.replace(/^<|@.*$/g, ''));
  const ids = new Set(stored.map(({ id }) => id));
  expect(new Set(mailed)).toEqual(ids);
}

/** Images are stored, and their bytes are where they should be. */
export async function checkImages(world: World): Promise<void> {
  const failures = await rows(world, `select url, reason from image_sources where status <> 'stored'`);
  expect(failures).toEqual([]);
  const paths = await rows<{ path: string }>(world, 'select original as path from stored_images');
  for (const { path } of paths) {
    const { status } = await world.service.call('GET', path);
    expect(status, path).toBe(200);
  }
}

/** The last snapshot of each feed is what stands, and every acknowledged run came to an end. */
export async function checkFeed(world: World, seller: Seller): Promise<void> {
  await seller.runFeed();
  await drainQueues(world);
  const { body } = await seller.account.call('GET', `/v1/feeds/${seller.feed}/runs?limit=100`);
  const runs = new Map<string, { status: string }>(body.runs.map((run: { id: string }) => [run.id, run]));
  for (const id of seller.runs.slice(-50)) expect(runs.get(id), id).toBeDefined();
  expect(runs.get(seller.runs.at(-1) ?? ''), JSON.stringify(body.runs[0])).toMatchObject({
    status: 'succeeded',
  });
  const standing = await rows<{ vin: string; price: number }>(
    world,
    `select vin, price from listings where account_id = $1 and source_provider_id like 'dms-%' and status = 'available'
      and feed_id = $2 order by vin`,
    [seller.account.id, seller.feed],
  );
  const expected = seller.feedTrucks.map(({ vin, price }) => ({ vin, price }));
  expect(standing).toEqual(expected.sort((a, b) => (a.vin < b.vin ? -1 : 1)));
}

/** Everything derived is what a recount from the listings gives. */
export async function checkDerived(world: World, sellers: readonly Seller[]): Promise<void> {
  for (const { account } of sellers) expect(await searchFaults(account.id)).toEqual([]);
  expect(await marketFaults(world.service.ports.db)).toEqual([]);
  const wordless = `select encode(l.dedup_hash, 'hex') from listings l left join listing_words w
    on w.account_id = l.account_id and w.dedup_hash = l.dedup_hash
    where l.version > 0 and (w.words_source is null or position(lower(l.vin) in lower(w.words_source)) = 0)`;
  expect(await rows(world, wordless)).toEqual([]);
  const unexplained = `select encode(l.dedup_hash, 'hex') from listings l where l.version <> (
    select count(distinct e.version) from listing_events e
    where e.account_id = l.account_id and e.dedup_hash = l.dedup_hash)`;
  expect(await rows(world, unexplained)).toEqual([]);
}
