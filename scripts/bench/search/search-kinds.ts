import type { SearchInput } from '../../../lib/search/schemas.ts';
import { SearchQuery } from '../../../lib/search/schemas.ts';

/** What is measured: searches as callers send them, with values drawn anew for each. */
export interface SearchKind {
  name: string;
  /** Broad: a large part of the account. */
  group: 'typical' | 'broad' | 'other';
  query(pick: Pick): SearchInput;
}

/** Draws one of several. */
export type Pick = <Value>(values: readonly Value[]) => Value;

const MAKES = ['Freightliner', 'Kenworth', 'Peterbilt', 'International', 'Volvo', 'Mack', 'Ford', 'Hino'];
const BODIES = ['sleeper_tractor', 'day_cab_tractor', 'dump', 'box', 'flatbed'];
const STATES = ['TX', 'CA', 'FL', 'OH', 'KS', 'NM', 'UT'];
const ZIPS = ['78219', '75201', '90001', '60601', '73101', '33101'];
const YEARS = [2012, 2015, 2018, 2020];
const PRICES = [30_000, 60_000, 90_000];
const SORTS = ['newest', 'price', '-price', '-year', 'mileage'];
const pickModel = (make: string, pick: Pick) => `${make[0]}${pick([300, 320, 340, 380, 420])}`;

const toSearchInput = (params: Record<string, string | number>): SearchInput =>
  SearchQuery.parse(Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])));

const kind = (
  group: SearchKind['group'],
  name: string,
  params: (pick: Pick) => Record<string, string | number>,
): SearchKind => ({ group, name, query: (pick) => toSearchInput(params(pick)) });

export const SEARCH_KINDS: readonly SearchKind[] = [
  kind('broad', 'nothing asked', (pick) => ({ sort: pick(SORTS) })),
  kind('broad', 'one make', (pick) => ({ make: pick(MAKES), sort: pick(SORTS) })),
  kind('broad', 'make and model', (pick) => {
    const make = pick(MAKES);
    return { make, model: pickModel(make, pick), sort: pick(SORTS) };
  }),
  kind('broad', 'class', (pick) => ({ class: pick([5, 6, 7, 8]), sort: pick(SORTS) })),
  kind('broad', 'condition, year range', (pick) => ({
    condition: 'used',
    year_min: pick(YEARS),
    sort: pick(SORTS),
  })),
  kind('typical', 'make, body, price range', (pick) => {
    const min = pick(PRICES);
    return {
      make: pick(MAKES),
      body_type: pick(BODIES),
      price_min: min,
      price_max: min + 30_000,
      sort: pick(SORTS),
    };
  }),
  kind('typical', 'make, model, year range', (pick) => {
    const make = pick(MAKES);
    return { make, model: pickModel(make, pick), year_min: pick(YEARS), sort: pick(SORTS) };
  }),
  kind('typical', 'make, condition, year, mileage', (pick) => ({
    make: pick(MAKES),
    condition: 'used',
    year_min: pick(YEARS),
    mileage_max: pick([200_000, 400_000]),
    sort: pick(SORTS),
  })),
  kind('typical', 'body, state, price at most', (pick) => ({
    body_type: pick(BODIES),
    state: pick(STATES),
    price_max: pick([50_000, 90_000]),
    sort: pick(SORTS),
  })),
  kind('typical', 'make near a ZIP code', (pick) => ({
    make: pick(MAKES),
    near: pick(ZIPS),
    sort: pick(SORTS),
  })),
  kind('typical', 'near, by distance', (pick) => ({
    near: pick(ZIPS),
    radius: 50,
    body_type: pick(BODIES),
    sort: 'distance',
  })),
  kind('typical', 'words: make and model', (pick) => {
    const make = pick(MAKES);
    return { q: `${make} ${pickModel(make, pick)}` };
  }),
  kind('typical', 'words: make, year, body', (pick) => ({
    q: `${pick(MAKES)} ${pick(YEARS)} ${pick(BODIES).split('_')[0]}`,
    sort: pick(['newest', '-quality']),
  })),
  kind('other', 'words: one make', (pick) => ({ q: pick(MAKES) })),
  kind('other', 'words: a stock number', (pick) => ({ q: `U${pick([4711, 123456, 987654, 31337])}` })),
  kind('other', 'rare fuel and body', (pick) => ({
    fuel_type: 'hydrogen',
    body_type: pick(BODIES),
    sort: pick(SORTS),
  })),
  kind('other', 'dealer', (pick) => ({ dealer: `dealer-${pick([0, 3, 40, 150])}`, sort: pick(SORTS) })),
  kind('other', 'quality and images', (pick) => ({
    quality_min: pick([50, 90]),
    has_images: 'true',
    sort: pick(SORTS),
  })),
  kind('other', 'changed in the last hour', () => ({
    updated_since: new Date(Date.now() - 3_600_000).toISOString(),
  })),
  kind('other', 'sold, one make', (pick) => ({ status: 'sold', make: pick(MAKES), sort: pick(SORTS) })),
  kind('other', 'nothing fits', (pick) => ({
    make: pick(MAKES),
    body_type: 'hearse',
    price_max: 1_000,
    sort: pick(SORTS),
  })),
  kind('other', 'a band of mileage', (pick) => {
    const min = pick([1_000, 150_000, 300_000, 2_000_000]);
    return { mileage_min: min, mileage_max: min + 5_000, sort: pick(SORTS) };
  }),
  kind('other', 'a year that nothing has', (pick) => ({ year: pick([1990, 1995]), sort: pick(SORTS) })),
  kind('other', 'words: tx diesel 2015', (pick) => ({
    q: `${pick(['tx', 'ca', 'fl'])} diesel ${pick(YEARS)}`,
    sort: pick(['newest', '-quality', 'price']),
  })),
  kind('other', 'words: a color and an engine', (pick) => ({
    q: pick(['white isx15', 'white', 'isx15 diesel']),
  })),
  kind('other', 'words: the beginning of one', (pick) => ({ q: pick(['die', 'cumm', 'u1234', 'kenw']) })),
  kind('other', 'words with typos', (pick) => ({
    q: pick(['petrbilt sleeper', 'freigtliner 2018', 'kenwroth day cab', 'intrnational dump 2015']),
  })),
  kind('other', '250 miles, by distance', (pick) => ({ near: pick(ZIPS), radius: 250, sort: 'distance' })),
  kind('other', '1,000 miles, by distance', (pick) => ({
    near: pick(ZIPS),
    radius: 1_000,
    sort: 'distance',
  })),
  kind('other', '250 miles, cheapest first', (pick) => ({ near: pick(ZIPS), radius: 250, sort: 'price' })),
  kind('other', 'state', (pick) => ({ state: pick(STATES), sort: pick(SORTS) })),
  kind('other', 'electric', (pick) => ({ fuel_type: 'electric', sort: pick(SORTS) })),
  kind('other', 'best described', (pick) => ({ sort: '-quality', class: pick([6, 7, 8]) })),
  kind('other', 'new and old at once', (pick) => ({ condition: 'new', year_max: 2015, sort: pick(SORTS) })),
  kind('other', 'used, the newest first', () => ({ condition: 'used', sort: '-year' })),
  kind('other', 'several makes and states', (pick) => ({
    make: 'Ford,Mack,Hino',
    state: 'TX,OK,NM,LA',
    class: '5,6,7',
    sort: pick(SORTS),
  })),
];
