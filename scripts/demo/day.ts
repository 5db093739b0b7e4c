import type * as z from 'zod/mini';
import type { FeedAnswer, FeedRunAnswer, FeedsAnswer } from '../../lib/feeds/schemas/feeds.ts';
import type { BatchAnswer, Listing } from '../../lib/inventory/schemas.ts';
import type { StatusAnswer } from '../../lib/inventory/status-schemas.ts';
import { LIMITS } from '../../lib/truck/fields.ts';
import { truckAt } from '../trucks/trucks.ts';
import type { DealerRow } from './dealer-file.ts';
import { bold, count, dim, print, seconds, step } from './print.ts';
import { type Caller, call } from './seller.ts';

/** What a dealer does in a day, over the API. Every number, code and fix that is printed comes from an answer. */

type Batch = z.output<typeof BatchAnswer>;
type Rejected = Extract<Batch['results'][number], { outcome: 'rejected' }>;
const SUMMARY = ['created', 'merged', 'unchanged', 'rejected'] as const;
const MEANINGS = {
  created: 'new listings',
  merged: 'listed already, and changed',
  unchanged: 'known already, not a row written',
  rejected: 'not stored; what to change is said below',
};

/** Posts the file in batches of the largest size. */
export async function pushFile(seller: Caller, rows: readonly DealerRow[]): Promise<void> {
  const post = (from: number, query = '') =>
    call<Batch>(seller, 'POST', `/v1/inventory${query}`, {
      source_provider_id: 'heartland-dms',
      records: rows.slice(from, from + LIMITS.batchSize).map(({ record }) => record),
    });
  const { summary: rehearsed } = await post(0, '?dry_run=true&return=summary');
  step(
    'dry run',
    `of the first ${rehearsed.received}: ${rehearsed.rejected} would be rejected, nothing stored`,
  );
  const startedAt = performance.now();
  const counts = { created: 0, merged: 0, unchanged: 0, rejected: 0 };
  const rejects: Rejected[] = [];
  for (let from = 0; from < rows.length; from += LIMITS.batchSize) {
    const { summary, results } = await post(from);
    for (const name of SUMMARY) counts[name] += summary[name];
    rejects.push(...results.filter((result) => result.outcome === 'rejected'));
  }
  const ms = performance.now() - startedAt;
  const rate = count((rows.length * 1_000) / ms);
  step('push', `${count(rows.length)} records in ${seconds(ms)}, ${rate} a second`);
  print();
  for (const name of SUMMARY)
    print(`    ${name.padEnd(10)}${count(counts[name]).padStart(6)}   ${dim(MEANINGS[name])}`);
  printRejects(rejects);
}

/** Each code once, with the fix that the service gave for the first record. */
function printRejects(rejects: readonly Rejected[]): void {
  print(`\n  ${bold('Rejected')} ${dim('by code, with the fix of one record as answered')}\n`);
  for (const [code, group] of Map.groupBy(rejects, ({ error }) => error.code))
    print(`    ${String(group.length).padStart(4)}  ${code.padEnd(22)} ${group[0]?.error.details.fix}`);
}

/** Marks one truck as sold and reads another. */
export async function sellAndRead(seller: Caller, soldVin: string, readVin: string): Promise<void> {
  const change: z.output<typeof StatusAnswer> = await call(seller, 'PATCH', '/v1/inventory', {
    vin: soldVin,
    status: 'sold',
  });
  print(`\n  ${bold('Marked sold')} ${dim('PATCH /v1/inventory')}`);
  print(`    ${soldVin}  ${change.previous_status} → ${change.status}`);
  const truck: z.output<typeof Listing> = await call(seller, 'GET', `/v1/inventory/${readVin}`);
  print(`\n  ${bold('Fetched')} ${dim(`GET /v1/inventory/${readVin}`)}`);
  const { city, state, latitude, longitude } = truck.location ?? {};
  print(`    ${[truck.year, truck.make, truck.model, truck.class, truck.body_type].join(' ')}`);
  print(`    $${truck.price}, ${truck.mileage} mi, ${city} ${state} ${dim(`(${latitude}, ${longitude})`)}`);
  print(`    quality ${truck.quality.score} of 100 ${dim(`missing: ${truck.quality.missing.join(', ')}`)}`);
}

const FEED = 'Demo lot, nightly export';
const HEADER =
  'Stock #,VIN,Yr,Make,Model,Class,GVWR,Body Style,New/Used,Asking Price,Odometer,Ext Color,City,State,Zip';
const TRUCKS = 60;
const SOLD = 6;
const REPRICED = 8;
const BOUGHT = 5;
/** The export of the night broke off after so many rows. */
const SHORT = 24;

/** Pulls a dealer's file thrice: in the morning, in the evening, and when its export broke off. */
export async function pullFeed(
  seller: Caller,
  file: { url: string; serve(text: string): void },
  currentYear: number,
): Promise<void> {
  const { feeds }: z.output<typeof FeedsAnswer> = await call(seller, 'GET', '/v1/feeds?limit=200');
  const earlier = feeds.find(({ name }) => name === FEED);
  const source = { url: file.url, source_provider_id: 'demo-lot', enabled: false };
  const feed: z.output<typeof FeedAnswer> = earlier
    ? await call(seller, 'PATCH', `/v1/feeds/${earlier.id}`, source)
    : await call(seller, 'POST', '/v1/feeds', { name: FEED, ...source });
  print(`\n  ${bold('A feed')} ${dim(`POST /v1/feeds/${feed.id}/runs?wait=true`)}`);
  const evening = listLines(SOLD, TRUCKS + BOUGHT, currentYear);
  const files = {
    morning: listLines(0, TRUCKS, currentYear),
    evening: evening.map((line, at) => (at < REPRICED ? line.replace('$', '$1') : line)),
    night: evening.slice(0, SHORT),
  };
  for (const [partOfDay, lines] of Object.entries(files)) {
    file.serve([HEADER, ...lines].join('\r\n'));
    const run: z.output<typeof FeedRunAnswer> = await call(
      seller,
      'POST',
      `/v1/feeds/${feed.id}/runs?wait=true`,
    );
    const { created, merged, unchanged, delisted, rejected } = run;
    const applied = `${created} new, ${merged} changed, ${unchanged} unchanged, ${delisted} delisted, ${rejected} rejected`;
    const heldSentence = `came in short: ${run.would_delist} trucks would go, all stay until a person releases the run`;
    print(`    ${partOfDay.padEnd(8)} ${run.status}: ${run.status === 'held' ? heldSentence : applied}`);
  }
}

/** Rows of the trucks from one number to another. */
function listLines(from: number, to: number, currentYear: number): string[] {
  return Array.from({ length: to - from }, (_, at) => {
    const truck = truckAt(700_000 + from + at, currentYear);
    const { stock, vin, year, make, model, gvwr, body, condition, price, mileage, color, city, state, zip } =
      truck;
    const cells = [stock, vin, year, make, model, `Class ${truck.class}`, gvwr, body, condition, `$${price}`];
    return [...cells, mileage, color, city, state, zip].join(',');
  });
}
