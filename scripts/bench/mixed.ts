import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Request } from './http.ts';
import { fixed, quantile } from './numbers.ts';
import { listVins } from './reads.ts';
import { DEALER, PATH, reprice, type Stage, toBatch } from './stage.ts';

/** Requests of one kind that come at a rate, whether or not those before are answered. */
interface Stream {
  name: string;
  perSecond: number;
  next(): Request;
}

/** What one instance's callers feel of each other: GETs beside searches, the widget and a batch a second. */
export async function benchMixed(stage: Stage, seconds: number): Promise<void> {
  const streams = listStreams(stage);
  const [gets] = streams;
  if (!gets) return;
  await runStream(stage, gets, seconds / 6);
  console.log('Mixed load, ms                 p50      p99');
  const alone = await runStream(stage, { ...gets, name: `${gets.name}, alone` }, seconds);
  const [beside] = await Promise.all(streams.map((stream) => runStream(stage, stream, seconds)));
  console.log(
    `  GET's p99 beside the others: ${((beside ?? Number.NaN) / alone).toFixed(2)} of GET alone (goal 8), at most 100 ms\n`,
  );
}

function listStreams(stage: Stage): Stream[] {
  const { keys, batches } = stage;
  const vins = listVins(stage);
  let count = 0;
  const get = (path: string): Request => ({ method: 'GET', path, key: keys[count++ % keys.length] ?? '' });
  const widget = `/api/v1/widget/inventory?dealerSlug=${DEALER}&visitorId=bench`;
  const batch = () => {
    const place = count++ % batches.length;
    const records = (batches[place] ?? []).map(reprice);
    batches[place] = records;
    return toBatch(keys[count % keys.length] ?? '', records);
  };
  return [
    { name: 'GET by VIN', perSecond: 150, next: () => get(`${PATH}/${vins[(count * 37) % vins.length]}`) },
    { name: 'search', perSecond: 6, next: () => get(`${PATH}?q=freightliner+2019`) },
    { name: 'widget', perSecond: 6, next: () => get(widget) },
    { name: 'batch of 500', perSecond: 1, next: batch },
  ];
}

/** Returns the p99 in ms; time counts from when a request was due, so that the wait of a late one counts. */
async function runStream(
  { origin }: Stage,
  { name, perSecond, next }: Stream,
  seconds: number,
): Promise<number> {
  const client = new Client(origin, 64);
  const times: number[] = [];
  const startMs = performance.now();
  const pending: Promise<void>[] = [];
  const send = async (dueMs: number) => {
    await client.prepare(next())();
    times.push(performance.now() - dueMs);
  };
  for (let call = 0; call < perSecond * seconds; call++) {
    const dueMs = startMs + (call * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    pending.push(send(dueMs));
  }
  await Promise.all(pending);
  await client.close();
  const p99 = quantile(times, 0.99);
  console.log(`  ${name.padEnd(20)} ${fixed(quantile(times, 0.5), 1)} ${fixed(p99, 1)}`);
  return p99;
}
