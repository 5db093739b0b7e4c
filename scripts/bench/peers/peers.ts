import { normaliseVin } from '../../../lib/domain/vin/vin.ts';
import type { RawTruck } from '../../demo/dealer-file.ts';
import { Connection, throughput } from '../connection.ts';
import { interleaved, median, medianRatio, timed } from '../numbers.ts';
import { fixed, print } from '../report.ts';
import { CONNECTIONS } from '../requests/reads.ts';
import { BATCH, repriced } from '../trucks.ts';
import type { Contender, Lot } from './contenders.ts';
import { toPeerRows } from './peer-table.ts';

/**
 * The service beside two frameworks that serve a table over REST, each against a bare server on a table like theirs. They
 * validate, deduplicate and enrich nothing, and keep no history; what they store is what our pipeline made of the trucks.
 */

/** Rounds that are run and not counted. */
const WARM_UP = 2;

export interface PeerFigure {
  name: string;
  /** By contender, in their order: ms of a lot, or requests/s; medians. */
  medians: readonly number[];
  /** To the first contender; the medians of the rounds' ratios. */
  ratios: readonly number[];
}

/** Measures the contenders alternately; the first is what the others are measured against. */
export async function measurePeers(
  contenders: readonly Contender[],
  { batches, ms }: { batches: readonly RawTruck[][]; ms: number },
): Promise<PeerFigure[]> {
  const fresh = await Promise.all(batches.map(toLot));
  const changed = await Promise.all(batches.map((trucks) => toLot(trucks.map(repriced))));
  const vins = fresh.flatMap(({ rows }) => rows.map(({ vin }) => normaliseVin(String(vin)))).slice(0, 1_000);
  const sides = (kind: 'create' | 'reprice', lots: readonly Lot[]) =>
    contenders.map((contender) => async (round: number) => {
      const lot = lots[round];
      if (lot === undefined) throw new Error('no such round');
      const requests = contender[kind](lot, round);
      return connected(contender, (connections) => timed(() => sendAll(connections, requests)));
    });
  const reads = contenders.map((contender) => {
    const requests = vins.map((vin, at) => contender.read(vin, at));
    let sent = 0;
    const next = () => requests[sent++ % requests.length] ?? Buffer.of();
    return () => connected(contender, (connections) => throughput(connections, next, ms));
  });
  const rounds = batches.length;
  return [
    toFigure(`${BATCH} new, ms`, await interleaved(rounds, ...sides('create', fresh))),
    toFigure(`${BATCH} prices changed, ms`, await interleaved(rounds, ...sides('reprice', changed))),
    toFigure('one by VIN, requests/s', await interleaved(rounds, ...reads)),
  ];
}

const toLot = async (records: readonly RawTruck[]): Promise<Lot> => ({
  records,
  rows: await toPeerRows(records),
});

/** Each round has connections of its own: servers close those that are idle while the others take their turns. */
async function connected(
  { origin }: Contender,
  work: (connections: readonly Connection[]) => Promise<number>,
): Promise<number> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(origin)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function sendAll(connections: readonly Connection[], requests: readonly Buffer[]): Promise<void> {
  const left = requests.values();
  const loop = async (connection: Connection) => {
    for (const request of left) {
      const { status, body } = await connection.send(request);
      if (status >= 300) throw new Error(`answered ${status}: ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(connections.map(loop));
}

function toFigure(name: string, results: readonly number[][]): PeerFigure {
  const counted = results.map((values) => values.slice(WARM_UP));
  const [first = []] = counted;
  return { name, medians: counted.map(median), ratios: counted.map((values) => medianRatio(values, first)) };
}

export function tellPeers(contenders: readonly Contender[], figures: readonly PeerFigure[]): void {
  const heads = contenders.map(({ name }) => name.padStart(18)).join('');
  print(`\nBeside peers, and the ratio to bare ${heads}`);
  for (const { name, medians, ratios } of figures) {
    const cells = medians.map((value, at) =>
      `${fixed(value, 1)} (${(ratios[at] ?? 0).toFixed(2)})`.padStart(18),
    );
    print(`  ${name.padEnd(33)}${cells.join('')}`);
  }
}
