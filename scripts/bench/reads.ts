import { isDeepStrictEqual } from 'node:util';
import { normaliseVin } from '../../lib/truck/vin/vin.ts';
import { Client } from './http.ts';
import { fixed, interleaved, median, medianRatio } from './numbers.ts';
import { PATH, type Stage } from './stage.ts';

const CONNECTIONS = 16;

/** GET by VIN of the service and of the bare handler, in slices of `ms` alternately. */
export async function benchReads(stage: Stage, rounds: number, ms: number): Promise<void> {
  const { postgresUrl, accountId } = stage;
  const bare = await stage.start('scripts/bench/bare-server.ts', {
    POSTGRES_URL: postgresUrl,
    BENCH_ACCOUNT: accountId,
  });
  const client = new Client(stage.origin, CONNECTIONS);
  const bareClient = new Client(bare, CONNECTIONS);
  const vins = listVins(stage).filter((_, at) => at % 25 === 0);
  const prepare = (of: Client, folder: string): Reads =>
    vins.map((vin, at) => {
      const key = stage.keys[at % stage.keys.length] ?? '';
      return of.prepare({ method: 'GET', path: `${folder}/${vin}`, key });
    });
  const [serviceReads, bareReads] = [prepare(client, PATH), prepare(bareClient, '')];
  await expectSameDocument(serviceReads, bareReads);
  for (const reads of [serviceReads, bareReads]) await measureRate(reads, 3 * ms);
  const [service = [], floor = []] = await interleaved(
    rounds,
    () => measureRate(serviceReads, ms),
    () => measureRate(bareReads, ms),
  );
  await client.close();
  await bareClient.close();
  console.log(`GET by VIN, ${CONNECTIONS} connections, requests/s  service     bare  ratio   goal`);
  console.log(
    `  ${''.padEnd(38)} ${fixed(median(service), 0)} ${fixed(median(floor), 0)} ${medianRatio(service, floor).toFixed(2).padStart(6)}   0.70`,
  );
}

type Reads = readonly (() => Promise<string>)[];

export const listVins = ({ batches }: Stage): string[] =>
  batches.flat().map(({ vin }) => normaliseVin(String(vin)));

/** Requests a second, each connection sending the next as soon as it has its answer. */
async function measureRate(reads: Reads, ms: number): Promise<number> {
  let answers = 0;
  const startedAt = performance.now();
  const loop = async () => {
    while (performance.now() - startedAt < ms) await reads[answers++ % reads.length]?.();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  return (answers / (performance.now() - startedAt)) * 1_000;
}

/** Both must do the same work. */
async function expectSameDocument(serviceReads: Reads, bareReads: Reads): Promise<void> {
  for (const [at, read] of serviceReads.slice(0, 5).entries())
    if (!isDeepStrictEqual(JSON.parse(await read()), JSON.parse((await bareReads[at]?.()) ?? '')))
      throw new Error('the answers about a truck differ');
}
