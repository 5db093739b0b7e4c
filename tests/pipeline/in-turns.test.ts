import { expect, test } from 'vitest';
import { mapInTurns } from '../../lib/in-turns.ts';
import { runPipeline } from '../../lib/pipeline/pipeline.ts';
import type { AccountListings, ReadAnswer } from '../../lib/ports/listings.ts';
import { cleanTrucks } from '../support/samples/trucks.ts';

const BATCH = 500;
/** Breaks in one pass over a batch: none before its first 20 records. */
const BREAKS = BATCH / 20 - 1;

/** Counts turns of the event loop, in each of which every caller that is ready would be served. */
function countTurns() {
  let turns = 0;
  let stopped = false;
  const next = () => {
    turns += 1;
    if (!stopped) setImmediate(next);
  };
  setImmediate(next);
  const stop = () => {
    stopped = true;
  };
  return { soFar: () => turns, stop };
}

const NOTHING: ReadAnswer = {
  now: 0,
  onlyDealer: null,
  room: null,
  hasSeveralDealers: false,
  dealers: new Map(),
  listings: new Map(),
  elsewhere: new Map(),
  sameStock: new Map(),
  issues: new Map(),
};

test('a batch lets others have their turn in each of its stages', async () => {
  const turns = countTurns();
  let [atRead, atWrite] = [0, 0];
  const listings = {
    onConflict: 'lock',
    read: async () => {
      atRead = turns.soFar();
      return NOTHING;
    },
    write: async (changes) => {
      atWrite = turns.soFar();
      return new Set(changes.map(({ enriched }) => enriched.dedupHash));
    },
    lockListings: (_hashes, work) => work(listings),
  } as Partial<AccountListings> as AccountListings;
  const results = await runPipeline(cleanTrucks(BATCH), {
    listings,
    geocoder: { locate: async (places) => places.map(() => null) },
    vinDecoder: { decode: async (vins) => vins.map(() => null) },
    currentYear: 2026,
    dualUseMakes: [],
    observedAt: null,
    dryRun: false,
  });
  turns.stop();
  expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(BATCH);
  // Validated and hashed; then decided, made canonical, placed, enriched and made into changes.
  expect(atRead).toBeGreaterThanOrEqual(2 * BREAKS);
  expect(atWrite - atRead).toBeGreaterThanOrEqual(5 * BREAKS);
});

test('items stay in order, 20 to a turn, and a few of them take one turn', async () => {
  const turns = countTurns();
  const items = Array.from({ length: 65 }, (_, index) => index);
  const seen = await mapInTurns(items, (item, index) => ({ item, index, turn: turns.soFar() }));
  expect(seen.map(({ item }) => item)).toEqual(items);
  expect(seen.map(({ index }) => index)).toEqual(items);
  const inTurn = [...Map.groupBy(seen, ({ turn }) => turn).values()].map(({ length }) => length);
  expect(inTurn).toEqual([20, 20, 20, 5]);
  const before = turns.soFar();
  await mapInTurns(items.slice(0, 20), () => null);
  expect(turns.soFar()).toBe(before);
  turns.stop();
});

test('what one item throws ends the work', async () => {
  const work = (item: number) => {
    if (item === 30) throw new Error('a bug');
    return item;
  };
  await expect(
    mapInTurns(
      Array.from({ length: 60 }, (_, index) => index),
      work,
    ),
  ).rejects.toThrow('a bug');
});
