import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBatches } from './batches.ts';
import { benchFeeds } from './feeds/feeds.ts';
import { benchMarket } from './market.ts';
import { benchMixed } from './mixed.ts';
import { benchReads } from './reads.ts';
import { benchSearch } from './search/search.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * `npm run bench`: the service against floors that do no more than they must, measured alternately in one run, so that
 * the ratios hold on any machine. Names of parts run only those: `npm run bench -- batches reads`. `--quick` proves
 * that it runs; its figures mean nothing.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const { quick } = values;
const size = <Size>(full: Size, small: Size) => (quick ? small : full);

let stageOnce: Promise<Stage> | undefined;
const stage = () => {
  stageOnce ??= openStage(size(200, 8));
  return stageOnce;
};

/** Those that share a service come last, so that nothing runs beside the others. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  market: () => benchMarket(size(1_000_000, 20_000), size(200, 20)),
  search: () => benchSearch(size(100_000, 20_000), size(1_000, 100), size(200, 10)),
  feeds: () => benchFeeds(size(1_000_000, 10_000)),
  batches: async () => benchBatches(await stage(), size(15, 3)),
  reads: async () => benchReads(await stage(), size(7, 2), size(1_000, 300)),
  mixed: async () => benchMixed(await stage(), size(60, 3)),
};
const unknownPart = positionals.find((name) => !(name in PARTS));
if (unknownPart !== undefined)
  throw new Error(`${unknownPart}: the parts are ${Object.keys(PARTS).join(', ')}`);

console.log(`Node ${process.versions.node}, ${availableParallelism()} cores\n`);
try {
  for (const [name, run] of Object.entries(PARTS))
    if (positionals.length === 0 || positionals.includes(name)) await run();
} finally {
  await (await stageOnce)?.stop();
}
