import { expect, test } from 'vitest';
import * as fc from '../../support/oracles/fast-check.ts';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

const VINS = Array.from({ length: 8 }, () => String(goodTruck().vin));
const SLUGS = ['north', 'south', 'east'];

/** What one account must see: its own world, whatever the other does. */
interface World {
  listings: Map<string, { price: number | null; status: string }>;
  dealers: Map<string, string>;
}

type Operation =
  | { kind: 'post'; who: 0 | 1; records: { vin: number; price: number }[] }
  | { kind: 'status'; who: 0 | 1; vin: number; status: 'sold' | 'delisted' }
  | { kind: 'get'; who: 0 | 1; vin: number }
  | { kind: 'dealer'; who: 0 | 1; slug: number; name: string }
  | { kind: 'dealers'; who: 0 | 1 };

const who = fc.constantFrom(0 as const, 1 as const);
const vin = fc.nat({ max: VINS.length - 1 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      who,
      records: fc.array(fc.record({ vin, price: fc.integer({ min: 20_000, max: 200_000 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      who,
      vin,
      status: fc.constantFrom('sold' as const, 'delisted' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('get' as const), who, vin }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('dealer' as const),
      who,
      slug: fc.nat({ max: 2 }),
      name: fc.constantFrom('A', 'B'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dealers' as const), who }) },
);

async function play(
  accounts: readonly TestAccount[],
  worlds: readonly World[],
  readSlug: (n: number) => string,
  op: Operation,
) {
  const account = accounts[op.who] as TestAccount;
  const world = worlds[op.who] as World;
  if (op.kind === 'post') {
    const records = op.records.map(({ vin, price }) => ({ ...goodTruck(), vin: VINS[vin], price }));
    const { body } = await account.post({ records });
    expect(body.summary.rejected).toBe(0);
    for (const { vin, price } of records) {
      const before = world.listings.get(String(vin))?.status;
      world.listings.set(String(vin), { price, status: before === 'sold' ? 'sold' : 'available' });
    }
  } else if (op.kind === 'status') {
    const key = VINS[op.vin] as string;
    const answer = await account.patch({ vin: key, status: op.status });
    const mine = world.listings.get(key);
    expect(answer.status).toBe(mine ? 200 : 404);
    if (mine) {
      expect(answer.body.previous_status).toBe(mine.status);
      mine.status = op.status;
    }
  } else if (op.kind === 'get') {
    const key = VINS[op.vin] as string;
    const answer = await account.call('GET', `/v1/inventory/${key}`);
    const mine = world.listings.get(key);
    expect(answer.status).toBe(mine ? 200 : 404);
    if (mine) expect({ price: answer.body.price, status: answer.body.status }).toEqual(mine);
  } else if (op.kind === 'dealer') {
    const slug = readSlug(op.slug);
    const answer = await account.call('POST', '/v1/dealers', { slug, name: op.name });
    expect(answer.status).toBe(world.dealers.has(slug) ? 200 : 201);
    world.dealers.set(slug, op.name);
  } else {
    const answer = await account.call('GET', '/v1/dealers');
    const seen = answer.body.dealers.map((dealer: { slug: string; name: string }) => [
      dealer.slug,
      dealer.name,
    ]);
    expect(new Map(seen)).toEqual(world.dealers);
  }
}

test('two accounts doing a thousand random operations never see or touch each other’s data', async () => {
  const service = await startService();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 60, maxLength: 120 }), async (operations) => {
      run += 1;
      const mark = `${process.pid}-${Date.now().toString(36)}-${run}`;
      const accounts = [await service.newAccount(), await service.newAccount()];
      const worlds: World[] = accounts.map(() => ({ listings: new Map(), dealers: new Map() }));
      for (const op of operations) await play(accounts, worlds, (n) => `${SLUGS[n]}-${mark}`, op);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
