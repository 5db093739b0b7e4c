import { expect, test } from 'vitest';
import * as fc from '../../support/oracles/fast-check.ts';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

const VINS = Array.from({ length: 8 }, () => String(goodTruck().vin));

/** What one account must see: its own world, whatever the other does. */
interface World {
  listings: Map<string, { price: number | null; status: string }>;
  dealers: Map<string, string>;
}

const operation = fc.record({
  kind: fc.constantFrom('post', 'post', 'status', 'get', 'get', 'dealer', 'dealers'),
  who: fc.constantFrom(0, 1),
  vins: fc.array(fc.constantFrom(...VINS), { minLength: 1, maxLength: 5 }),
  price: fc.integer({ min: 20_000, max: 200_000 }),
  status: fc.constantFrom('sold', 'delisted'),
  slug: fc.constantFrom('north', 'south', 'east'),
  name: fc.constantFrom('A', 'B'),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function play(account: TestAccount, { listings, dealers }: World, mark: string, op: Operation) {
  const { vins, price, status, name } = op;
  const [vin = ''] = vins;
  const [listing, slug] = [listings.get(vin), `${op.slug}-${mark}`];
  if (op.kind === 'post') {
    const { body } = await account.post({
      records: vins.map((one) => ({ ...goodTruck(), vin: one, price })),
    });
    expect(body.summary.rejected).toBe(0);
    for (const one of vins)
      listings.set(one, { price, status: listings.get(one)?.status === 'sold' ? 'sold' : 'available' });
  } else if (op.kind === 'status') {
    const answer = await account.patch({ vin, status });
    expect(answer.status).toBe(listing ? 200 : 404);
    if (!listing) return;
    expect(answer.body.previous_status).toBe(listing.status);
    listing.status = status;
  } else if (op.kind === 'get') {
    const answer = await account.call('GET', `/v1/inventory/${vin}`);
    expect(answer.status).toBe(listing ? 200 : 404);
    if (listing) expect(answer.body).toMatchObject(listing);
  } else if (op.kind === 'dealer') {
    const answer = await account.call('POST', '/v1/dealers', { slug, name });
    expect(answer.status).toBe(dealers.has(slug) ? 200 : 201);
    dealers.set(slug, name);
  } else {
    const { body } = await account.call('GET', '/v1/dealers');
    const pairs = body.dealers.map((dealer: { slug: string; name: string }) => [dealer.slug, dealer.name]);
    expect(new Map(pairs)).toEqual(dealers);
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
      for (const op of operations)
        await play(accounts[op.who] as TestAccount, worlds[op.who] as World, mark, op);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
