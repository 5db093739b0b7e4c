import { expect, test } from 'vitest';
import { PRICE_BANDS } from '../../../lib/search/price-bands.ts';
import { findPage } from '../../../lib/search/queries/find.ts';
import { RANGES, type SearchFilters, type SearchPosition } from '../../../lib/search/request.ts';
import { SORTS, type Sort } from '../../../lib/search/schemas.ts';
import {
  entryFor,
  LISTED_NAMES,
  type RecordName,
  SEARCHED_FIELDS,
} from '../../../lib/truck/record/record.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import {
  milesTo,
  NO_FILTERS,
  naiveFacets,
  naiveSearch,
  sortedFacets,
  storedListings,
} from '../../support/oracles/naive-search.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** A walk over all pages is what looking at every listing gives, whether or not all that match are counted. */

const CAPS = { 'all are counted': 1_000, 'few are counted': 3 };

const MAKES = ['Ford', 'Hino', 'Mack', 'Volvo'];
const ZIPS = ['78219', '75201', '90001', null, '73101'];
const STATUSES = ['available', 'available', 'available', 'sold', 'delisted'] as const;

/** Values of a searchable field as its entry shows them, unless there are better ones below. */
function listExamples(name: RecordName): (string | number)[] {
  const { kind, search } = entryFor(name);
  const values = search?.values?.example.split(',') ?? search?.range?.examples ?? [];
  return kind === 'integer' ? values.map(Number) : values.map(String);
}

const byName = <Name extends RecordName, Value>(names: readonly Name[], toValue: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;

const truck = fc.record({
  ...byName(SEARCHED_FIELDS, (name) => fc.constantFrom(null, ...listExamples(name))),
  make: fc.constantFrom(...MAKES),
  model: fc.constantFrom('A1', 'B2', 'C3', null),
  year: fc.integer({ min: 2015, max: 2020 }),
  class: fc.constantFrom('class_6', 'class_7', 'class_8'),
  condition: fc.constantFrom('new', 'used', null),
  price: fc.constantFrom(null, 30_000, 40_000, 40_000, 55_000, 90_000),
  mileage: fc.constantFrom(null, 0, 10, 10, 250_000),
  zip: fc.constantFrom(...ZIPS),
  images: fc.constantFrom(null, ['https://dealer.example/a.jpg']),
  color: fc.constantFrom('red', 'blue', null),
  status: fc.constantFrom(...STATUSES),
});

/** Mostly null: of many filters at once nothing is found. */
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const some = <Value>(...values: readonly Value[]) =>
  rarely(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }));
/** Between values that listings have, or nearly have. */
const ends: Readonly<Record<string, readonly number[]>> = {
  year: [2015, 2017, 2020, 2021],
  price: [29_999, 30_000, 40_000, 55_000, 90_000],
  mileage: [0, 1, 10, 250_000],
  quality: [0, 50, 60, 70, 100],
};
const rangeFilters = Object.fromEntries(
  RANGES.flatMap((name) =>
    ['min', 'max'].map((end) => [`${name}_${end}`, rarely(fc.constantFrom(...(ends[name] ?? [0, 1, 10])))]),
  ),
);

const place = fc.constantFrom({ latitude: 29.45, longitude: -98.35 }, { latitude: 34, longitude: -118.2 });
const filters: fc.Arbitrary<SearchFilters> = fc.record({
  ...byName(LISTED_NAMES, (name) => some(...listExamples(name)) as fc.Arbitrary<null>),
  ...rangeFilters,
  status: fc.uniqueArray(fc.constantFrom('available', 'sold', 'delisted'), { minLength: 1 }),
  make: some(...MAKES, 'Nobody'),
  model: some('A1', 'B2', 'Z9'),
  year: some(2016, 2018, 2020),
  condition: some('new', 'used', 'unknown'),
  state: some('TX', 'CA'),
  dealer: fc.constant(null),
  has_images: rarely(fc.boolean()),
  has_price: rarely(fc.boolean()),
  updated_since: rarely(
    fc
      .constantFrom('2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z')
      .map((at) => ({ at, transaction: null, newest: '0' })),
  ),
  near: rarely(fc.tuple(place, fc.constantFrom(5, 260, 1_000)).map(([at, miles]) => ({ ...at, miles }))),
});
const service = await startService();
const account = await service.newAccount();
const stranger = await service.newAccount();
const { sql } = await useStore();
const trucks = fc
  .sample(truck, { numRuns: 240, seed: 11 })
  .map((fields) => ({ ...cleanTruck({ gvwr: undefined }), ...fields, images: fields.images ?? undefined }));
for (let from = 0; from < trucks.length; from += 40) {
  const records = trucks.slice(from, from + 40);
  // A truck is listed before it is sold.
  const availableRecords = records.map((record) => ({ ...record, status: 'available' }));
  await account.post({ records: availableRecords });
  await account.post({ records });
  await stranger.post({ records: availableRecords });
}
const listings = await storedListings(account.id);
expect(listings).toHaveLength(240);

/** Dedup hashes of every page, one after the other. */
async function walk(cap: number, searchFilters: SearchFilters, sort: Sort, limit: number) {
  const hashes: string[] = [];
  let after: SearchPosition | null = null;
  let first = null;
  do {
    const result = await findPage(
      sql,
      account.id,
      { filters: searchFilters, sort, after, limit, facets: true },
      cap,
    );
    first ??= result;
    const page: { dedup_hash: string }[] = JSON.parse(result.listings);
    expect(page.length).toBeLessThanOrEqual(limit);
    if (result.next !== null) expect(page).toHaveLength(limit);
    hashes.push(...page.map(({ dedup_hash }) => dedup_hash));
    after = result.next;
  } while (after !== null && hashes.length < 1_000);
  return { hashes, first };
}

/** Walks all pages of a search and holds them and what is counted against the naive search. */
async function expectNaive(cap: number, searchFilters: SearchFilters, sort: Sort, limit: number) {
  const expected = naiveSearch(listings, searchFilters, sort);
  const { hashes, first } = await walk(cap, searchFilters, sort, limit);
  expect(hashes).toEqual(expected.map(({ hash }) => hash));
  const count = Math.min(expected.length, cap);
  expect(first.count).toEqual({ value: count, exact: expected.length <= cap });
  const facets = naiveFacets(expected, PRICE_BANDS).filter(
    ([facet]) => facet !== 'model' || searchFilters.make !== null,
  );
  if (first.count.exact) expect(sortedFacets(first.facets)).toEqual(facets);
  const statuses = first.facets.filter(([facet]) => facet === 'status');
  expect(statuses.reduce((sum, [, , count]) => sum + count, 0)).toBe(count);
}

test.each(Object.entries(CAPS))('all pages together equal the naive search, in order: %s', async (_, cap) => {
  const sorts = fc.constantFrom(...SORTS.filter((sort) => sort !== 'distance'));
  await fc.assert(
    fc.asyncProperty(filters, sorts, fc.integer({ min: 1, max: 60 }), (searchFilters, sort, limit) =>
      expectNaive(cap, searchFilters, sort, limit),
    ),
    { numRuns: 60 },
  );
});

test.each(Object.entries(CAPS))(
  'by distance, the nearest come first and none is missing: %s',
  async (_, cap) => {
    await fc.assert(
      fc.asyncProperty(filters, place, fc.integer({ min: 1, max: 60 }), async (searchFilters, at, limit) => {
        const near = { ...at, miles: 1_000 };
        const expected = naiveSearch(listings, { ...searchFilters, near }, 'distance');
        const { hashes } = await walk(cap, { ...searchFilters, near }, 'distance', limit);
        expect([...hashes].sort()).toEqual(expected.map(({ hash }) => hash).sort());
        const miles = hashes
          .map((hash) => listings.find((listing) => listing.hash === hash))
          .map((hit) => (hit ? milesTo(hit, near) : null) ?? 0);
        for (const [index, distance] of miles.entries())
          expect(distance).toBeGreaterThanOrEqual((miles[index - 1] ?? 0) - 1e-3);
      }),
      { numRuns: 10 },
    );
  },
);

test.each(Object.entries(CAPS))('words match the same under every cap: %s', async (_, cap) => {
  const find = async (searchFilters: Partial<SearchFilters>, on = cap) =>
    (await walk(on, { ...NO_FILTERS, ...searchFilters }, 'price', 7)).hashes;
  for (const text of ['red', 'ford', 'nothing']) {
    const words = [[[{ text, prefix: false }]]];
    const hashes = await find({ words });
    expect(hashes).toEqual(await find({ words }, 1_000));
    expect(hashes.length > 0).toBe(text !== 'nothing');
    const rest = await find({ without: { lists: { make: ['Nobody'] }, words } });
    expect([...hashes, ...rest].sort()).toEqual((await find({}, 1_000)).sort());
  }
});

test('while others write, paging returns each unchanged listing exactly once, and by year every listing', async () => {
  const seller = await service.newAccount();
  const trucks = Array.from({ length: 60 }, (_, at) => cleanTruck({ price: 30_000 + at * 1_000 }));
  await seller.post({ records: trucks });
  const [moving, unmoved] = [trucks.filter((_, at) => at % 3 === 0), trucks.filter((_, at) => at % 3 !== 0)];
  for (const sort of ['newest', 'price', '-price', 'year']) {
    const vins: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${cursor}`;
      const { body } = await seller.call('GET', `/v1/inventory?sort=${sort}&limit=7${from}`);
      vins.push(...body.listings.map(({ vin }: { vin: string }) => vin));
      cursor = body.next_cursor;
      const toPrice = (at: number) => 25_000 + ((vins.length * 7_919 + at * 977) % 90_000);
      const records = moving.map((truck, at) => ({ ...truck, price: toPrice(at) }));
      await seller.post({ records: [...records, cleanTruck({ price: 45_500 })] });
    }
    for (const { vin } of sort === 'year' ? trucks : unmoved)
      expect(
        vins.filter((met) => met === vin),
        sort,
      ).toEqual([vin]);
  }
});
