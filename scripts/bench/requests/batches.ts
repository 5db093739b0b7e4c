import type { RawTruck } from '../../demo/dealer-file.ts';
import { Connection, requestBytes } from '../connection.ts';
import { type Floor, floorRows } from '../floor.ts';
import { interleaved, median, medianRatio, timed } from '../numbers.ts';
import { BATCH, repriced, reworded } from '../trucks.ts';
import { DEALER, PATH, PROVIDER, readMember, type Seller } from './seller.ts';

export interface BatchFigure {
  name: string;
  /** Milliseconds over HTTP, of the upsert into a wide table, and of that into copies of our tables; medians. */
  service: number;
  wide: number;
  own: number;
  /** Service to wide table, and to the copies: the medians of the rounds' ratios. */
  ratio: number;
  ownRatio: number;
}

/** Rounds that are run and not counted. */
const WARM_UP = 2;

type Outcome = 'created' | 'merged' | 'unchanged';

interface Scenario {
  name: string;
  change(truck: RawTruck, index: number): RawTruck;
  expected: Partial<Record<Outcome, number>>;
}

const FEW = BATCH / 20;
const SCENARIOS: readonly Scenario[] = [
  { name: 'all new', change: (truck) => truck, expected: { created: BATCH } },
  { name: 'all changed (price)', change: repriced, expected: { merged: BATCH } },
  { name: 'all changed (price and words)', change: reworded, expected: { merged: BATCH } },
  {
    name: '5 % changed',
    change: (truck, index) => (index % 20 === 7 ? repriced(truck) : truck),
    expected: { merged: FEW, unchanged: BATCH - FEW },
  },
  { name: 'all unchanged', change: (truck) => truck, expected: { unchanged: BATCH } },
];

/**
 * Posts batches over HTTP and upserts the same rows into the floors, alternately. `fresh` are batches nobody has stored,
 * `stored` those of the account; every round takes another one.
 */
export async function measureBatches(
  origin: string,
  seller: Seller,
  floor: Floor,
  { fresh, stored, rounds }: { fresh: RawTruck[][]; stored: RawTruck[][]; rounds: number },
): Promise<BatchFigure[]> {
  const connection = await Connection.open(origin);
  const figures: BatchFigure[] = [];
  let taken = 0;
  for (const { name, change, expected } of SCENARIOS) {
    const prepared: { request: Buffer; rows: string }[] = [];
    for (let round = 0; round < WARM_UP + rounds; round++) {
      const source = expected.created ? fresh : stored;
      const place = expected.created ? round : (taken++ * 37) % stored.length;
      const records = (source[place] ?? []).map(change);
      // What is stored from then on.
      source[place] = records;
      const key = seller.keys[round % seller.keys.length] ?? '';
      prepared.push({
        request: requestBytes('POST', PATH, key, { source_provider_id: PROVIDER, records }),
        rows: await floorRows(records, { dealer: DEALER, provider: PROVIDER }),
      });
    }
    const results = await interleaved(
      prepared.length,
      (round) => timed(async () => expectSummary(await post(connection, prepared[round]?.request), expected)),
      (round) => timed(() => floor.upsert(prepared[round]?.rows ?? '[]')),
      (round) => timed(() => floor.upsertWide(prepared[round]?.rows ?? '[]')),
    );
    const [service = [], own = [], wide = []] = results.map((times) => times.slice(WARM_UP));
    figures.push({
      name,
      service: median(service),
      wide: median(wide),
      own: median(own),
      ratio: medianRatio(service, wide),
      ownRatio: medianRatio(service, own),
    });
  }
  connection.close();
  return figures;
}

/** Stores the batches over HTTP; answers records per second. */
export async function seed(origin: string, seller: Seller, batches: RawTruck[][]): Promise<number> {
  const connection = await Connection.open(origin);
  const ms = await timed(async () => {
    for (const [index, records] of batches.entries()) {
      const key = seller.keys[index % seller.keys.length] ?? '';
      const request = requestBytes('POST', PATH, key, { source_provider_id: PROVIDER, records });
      expectSummary(await post(connection, request), { created: BATCH });
    }
  });
  connection.close();
  return (batches.length * BATCH * 1000) / ms;
}

async function post(connection: Connection, request: Buffer | undefined): Promise<unknown> {
  if (request === undefined) throw new Error('no such round');
  return readMember(await connection.send(request), 200).summary;
}

function expectSummary(summary: unknown, expected: Scenario['expected']): void {
  const wanted = { received: BATCH, created: 0, merged: 0, unchanged: 0, rejected: 0, ...expected };
  if (JSON.stringify(summary) !== JSON.stringify(wanted))
    throw new Error(`a batch became ${JSON.stringify(summary)}, not ${JSON.stringify(wanted)}`);
}
