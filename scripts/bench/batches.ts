import type { RawTruck } from '../trucks/trucks.ts';
import { Floor, floorRows } from './floor.ts';
import { Client } from './http.ts';
import { fixed, interleaved, median, medianRatio, timed } from './numbers.ts';
import { BATCH, batchesOfTrucks, DEALER, PROVIDER, reprice, type Stage, toBatch } from './stage.ts';

interface Scenario {
  name: string;
  /** What all records of the batch become. */
  outcome: 'created' | 'merged' | 'unchanged';
  change(truck: RawTruck): RawTruck;
  /** Most of the time of the statement on the wide table. */
  goal: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'all new', outcome: 'created', change: (truck) => truck, goal: 3 },
  { name: 'all changed', outcome: 'merged', change: reprice, goal: 2.5 },
  { name: 'all unchanged', outcome: 'unchanged', change: (truck) => truck, goal: 0.6 },
];
/** Rounds that are run and not counted. */
const WARM_UP = 2;

/** Posts batches over HTTP and upserts the same rows into the floor, alternately; every round takes another batch. */
export async function benchBatches(stage: Stage, rounds: number): Promise<void> {
  const floor = await Floor.open(stage.postgresUrl, stage.accountId);
  await floor.settle();
  const client = new Client(stage.origin, 1);
  const newTrucks = batchesOfTrucks(WARM_UP + rounds, stage.batches.length * BATCH);
  console.log(`Batch of ${BATCH} over HTTP, ms    service  wide table  ratio   goal`);
  let batchesSent = 0;
  for (const { name, outcome, change, goal } of SCENARIOS) {
    const source = outcome === 'created' ? newTrucks : stage.batches;
    const prepared: { post: () => Promise<string>; rows: string }[] = [];
    while (prepared.length < WARM_UP + rounds) {
      const place = batchesSent++ % source.length;
      const records = (source[place] ?? []).map(change);
      source[place] = records;
      const key = stage.keys[batchesSent % stage.keys.length] ?? '';
      const rows = await floorRows(records, { dealer: DEALER, provider: PROVIDER });
      prepared.push({ post: client.prepare(toBatch(key, records)), rows });
    }
    const results = await interleaved(
      prepared.length,
      (round) => timed(async () => expectAll(await prepared[round]?.post(), outcome)),
      (round) => timed(() => floor.upsert(prepared[round]?.rows ?? '[]')),
    );
    const [service = [], wide = []] = results.map((times) => times.slice(WARM_UP));
    const figures = [fixed(median(service), 1), fixed(median(wide), 1).padStart(11)];
    console.log(
      `  ${name.padEnd(22)} ${figures.join(' ')} ${medianRatio(service, wide).toFixed(2).padStart(6)} ${goal.toFixed(2).padStart(6)}`,
    );
  }
  await client.close();
  await floor.close();
}

function expectAll(text: string | undefined, outcome: Scenario['outcome']): void {
  const { summary } = JSON.parse(text ?? '{}');
  if (summary?.[outcome] !== BATCH) throw new Error(`not all were ${outcome}: ${JSON.stringify(summary)}`);
}
