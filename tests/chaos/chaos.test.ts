import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Dice, dice } from '../../scripts/trucks/random.ts';
import { redisAvailable } from '../support/redis/redis.ts';
import {
  callCrons,
  checkDerived,
  checkFeed,
  checkImages,
  checkLeads,
  checkListings,
  drainQueues,
} from './checks.ts';
import { type Fault, listFaults } from './faults.ts';
import { Seller } from './seller.ts';
import { startWorld, type World } from './world.ts';

/**
 * A few sellers call at random while parts of the service fail and come back; hours pass between two rounds. After each
 * everything acknowledged is there once, and every derived number is what a recount gives. CHAOS_ROUNDS and CHAOS_SEED
 * choose another run (`npm run prove`).
 */

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 2);
const SEED = Number(process.env.CHAOS_SEED ?? 7);
const SELLERS = 3;
const MAX_FAULT_MS = 8_000;

async function newSellers(world: World): Promise<Seller[]> {
  const [one, two] = [await world.service.newAccount(), await world.service.newAccount()];
  // Two of them write to the same account at the same time.
  const sellers = [one, two, one].map(
    (account, at) => new Seller(world, dice(SEED + at), account, `seller-${at}`),
  );
  for (const seller of sellers) await seller.begin();
  return sellers;
}

/** Two of different parts, at once. */
function drawFaults(from: Fault[], { pick }: Dice): Fault[] {
  const first = pick(from);
  return [first, pick(from.filter(({ part }) => part !== first.part))];
}

/** Returns when so many acts of the sellers have ended. */
async function actFor(sellers: readonly Seller[], acts: number): Promise<void> {
  let left = acts;
  await Promise.all(
    sellers.map(async (seller) => {
      while (left > 0) {
        left -= 1;
        await seller.act();
      }
    }),
  );
}

async function runRound(world: World, sellers: readonly Seller[], faults: readonly Fault[]): Promise<void> {
  await actFor(sellers, SELLERS);
  const crons = callCrons(world);
  // Faults begin and end in the middle of calls; a seller who repeats a call until it is answered waits for the end.
  const during = actFor(sellers, SELLERS * 4);
  for (const fault of faults) await fault.begin();
  await Promise.race([during, sleep(MAX_FAULT_MS)]);
  for (const fault of faults) await fault.end();
  await during;
  await actFor(sellers, SELLERS * 3);
  await crons;
  await drainQueues(world);
}

async function runRounds(world: World): Promise<void> {
  const sellers = await newSellers(world);
  const chance = dice(SEED);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const faults = drawFaults(listFaults(world), chance);
    await runRound(world, sellers, faults);
    for (const seller of sellers) await checkListings(world, seller);
    await checkLeads(world, sellers);
    await checkImages(world);
    console.log(round, ...faults.map(({ name }) => name));
  }
  for (const seller of sellers) await checkFeed(world, seller);
  await checkDerived(world, sellers);
  expect(sellers.flatMap(({ trucks }) => trucks.flatMap(({ acknowledged }) => acknowledged))).not.toEqual([]);
}

test.runIf(redisAvailable())(
  `${ROUNDS} rounds of faults lose, double and strand nothing`,
  async () => {
    const world = await startWorld();
    try {
      await runRounds(world);
    } finally {
      await world.close();
    }
  },
  60_000 + ROUNDS * 60_000,
);
