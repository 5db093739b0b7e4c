import { expect, test } from 'vitest';
import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { enrich } from '../../lib/pipeline/enrich.ts';
import { validate } from '../../lib/pipeline/validate.ts';
import { applyPatch } from '../../lib/truck/listing/merge.ts';
import { NO_PLACE, readDealerPlace } from '../../lib/truck/place/place.ts';
import { buildRecord } from '../feeds/mapping/plan.ts';

/** What of a truck's row is in which currency and unit, from its dealer's file to the document that is stored. */

const CALGARY = { ...NO_PLACE, city: 'Calgary', state: 'AB' };
const NUEVO_LAREDO = { ...NO_PLACE, city: 'Nuevo Laredo', state: 'TAM' };
const LAREDO = { ...NO_PLACE, city: 'Laredo', state: 'TX' };
const TRUCK = { VIN: '1XKYD49X6KJ113001', Year: '2019', Make: 'Kenworth', Model: 'T680' };

async function store(record: object, dealer: typeof CALGARY | null) {
  const [valid] = validate([record], { currentYear: 2026, dualUseMakes: [] });
  if (valid?.kind !== 'continue') return { rejected: valid };
  const { vin, sourceProviderId, patch, warnings } = valid.item;
  const candidate = {
    dedupHash: '',
    inputHash: '',
    stored: null,
    status: 'available' as const,
    observedAt: 0,
    feedId: null,
    warnings,
    dealerPlace: readDealerPlace(dealer),
    truck: applyPatch({ vin, sourceProviderId }, null, patch, null),
  };
  const [outcome] = await enrich([candidate], {
    geocoder: bundledGeocoder(),
    decodeVins: async (vins) => vins.map(() => null),
    currentYear: 2026,
  });
  if (outcome?.kind !== 'continue') return { rejected: outcome };
  const { price, currency, mileage, gvwr, class: truckClass, location } = outcome.item.doc;
  const codes = outcome.item.warnings.map(({ code }) => code).filter((code) => !code.startsWith('VIN_'));
  return { price, currency, mileage, gvwr, class: truckClass, state: location?.state, warnings: codes };
}

const ASSUMED = ['CURRENCY_ASSUMED', 'UNIT_ASSUMED'];
const KM = 256_005;

test.each([
  [
    'a province in a column cut short',
    { Odometer: '412,000', Price: '$95,000', City: 'Calgary', Prov: 'AB' },
    CALGARY,
    { price: 95_000, currency: 'CAD', mileage: KM, state: 'AB', warnings: ASSUMED },
  ],
  [
    'a city in its dealer’s province',
    { Odometer: '412,000', Price: '$95,000', City: 'Calgary' },
    CALGARY,
    { price: 95_000, currency: 'CAD', mileage: KM, state: 'AB', warnings: ASSUMED },
  ],
  [
    'a city that is on no map',
    { Odometer: '412,000', Price: '550,000', City: 'Col. Hipódromo' },
    NUEVO_LAREDO,
    { price: 550_000, currency: 'MXN', mileage: KM, warnings: ASSUMED },
  ],
  [
    'a truck in Texas of a dealer in Mexico',
    { Odometer: '412,000', Price: '95,000', City: 'Laredo', State: 'TX' },
    NUEVO_LAREDO,
    { price: 95_000, currency: null, mileage: 412_000, state: 'TX', warnings: [] },
  ],
  [
    'dollars in the header',
    { 'Price USD': '95,000', City: 'Calgary', Province: 'AB' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  [
    'dollars in the value',
    { Price: 'US$95,000', City: 'Calgary' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  [
    'Canadian dollars in the header',
    { 'CAD Price': '$95,000' },
    null,
    { price: 95_000, currency: 'CAD', warnings: [] },
  ],
  [
    'the value before the header',
    { 'Price (CAD)': '95,000 USD' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  [
    'pesos in the header',
    { 'Precio en pesos': '950,000', City: 'Laredo', State: 'TX' },
    LAREDO,
    { price: 950_000, currency: 'MXN', warnings: [] },
  ],
  [
    'a column of currencies',
    { Price: '95,000', 'CAD/USD': 'USD', City: 'Calgary' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  ['euros', { 'Price (EUR)': '95,000' }, null, { price: null, warnings: ['PRICE_UNREADABLE'] }],
  [
    'euros in a column',
    { Price: '95,000', Currency: 'EUR' },
    null,
    { price: null, warnings: ['CURRENCY_UNREADABLE', 'PRICE_UNREADABLE'] },
  ],
  [
    'a price in Mexico that is in dollars',
    { Price: '65,000', Class: '8', City: 'Nuevo Laredo' },
    NUEVO_LAREDO,
    { price: 65_000, currency: null, warnings: ['CURRENCY_ASSUMED'] },
  ],
  ['kilograms in the header', { 'GVW (kg)': '8,845' }, CALGARY, { gvwr: 19_500, class: 'class_5' }],
  ['kilograms of a heavy truck', { 'PBV kg': '36300' }, CALGARY, { gvwr: 80_028, class: 'class_8' }],
  ['rounded kilograms', { GVWR: '15 000 kg' }, CALGARY, { gvwr: 33_000, class: 'class_7' }],
  [
    'a price in Tamaulipas that no truck has in pesos',
    { Price: '15,000', State: 'Tamps' },
    null,
    { price: 15_000, currency: null, warnings: ['CURRENCY_ASSUMED'] },
  ],
  [
    'a short form of Nuevo León',
    { Location: 'Monterrey, N.L.', Odometer: '800,000', Price: '550,000' },
    NUEVO_LAREDO,
    { price: 550_000, currency: 'MXN', state: 'NLE', warnings: ASSUMED },
  ],
  [
    'more pesos than dollars can be',
    { Location: 'Tijuana, B.C.', Price: '2,950,000' },
    null,
    { price: 2_950_000, currency: 'MXN', state: 'BCN', warnings: ['CURRENCY_ASSUMED'] },
  ],
  [
    'British Columbia',
    { Location: 'Kelowna, B.C.', Price: '55,000' },
    NUEVO_LAREDO,
    { price: 55_000, currency: 'CAD', state: 'BC', warnings: ['CURRENCY_ASSUMED'] },
  ],
  [
    'a country alone',
    { Country: 'CAN', Odometer: '412,000', Price: '95,000' },
    null,
    { price: 95_000, currency: 'CAD', mileage: KM, state: null, warnings: ASSUMED },
  ],
  [
    'a country of one’s dealer',
    { Country: 'USA', Odometer: '412,000', Price: '95,000' },
    LAREDO,
    { price: 95_000, currency: null, mileage: 412_000, state: 'TX', warnings: [] },
  ],
  [
    'a country that is not one’s dealer’s',
    { Country: 'Canada', City: 'Laredo', Odometer: '412,000', Price: '95,000' },
    LAREDO,
    { price: 95_000, currency: 'CAD', mileage: KM, state: null, warnings: ASSUMED },
  ],
  ...[
    { City: 'Calgary', Country: 'Canada' },
    { City: 'Calgary, Canada' },
    { City: 'Calgary', State: 'AB, Canada' },
    { Location: 'Calgary, AB, CA' },
    { Zip: 'T2P 1J9 CANADA' },
  ].map(
    (place) =>
      [
        `a country: ${JSON.stringify(place)}`,
        { ...place, Odometer: '412,000', Price: '95,000' },
        null,
        { price: 95_000, currency: 'CAD', mileage: KM, state: 'AB', warnings: ASSUMED },
      ] as const,
  ),
  [
    'a Mexican city by its country',
    { City: 'Nuevo Laredo', Country: 'MX', Odometer: '800,000', Price: '950,000' },
    null,
    { price: 950_000, currency: 'MXN', state: 'TAM', warnings: ASSUMED },
  ],
  [
    'a state that Mexico and Canada shorten alike',
    { City: 'Anytown', State: 'BC', Country: 'México', Price: '950,000' },
    null,
    { price: 950_000, currency: 'MXN', state: 'BCN', warnings: ['CURRENCY_ASSUMED'] },
  ],
  [
    'a state with a country’s name in it',
    { Location: 'Santa Fe, New Mexico', Price: '95,000' },
    null,
    { price: 95_000, currency: null, state: 'NM', warnings: [] },
  ],
] as const)('%s', async (_, row, dealer, stored) => {
  expect(await store(buildRecord({ ...TRUCK, ...row }), dealer)).toMatchObject(stored);
});

test('members of a record say units as columns do', async () => {
  const record = {
    vin: TRUCK.VIN,
    year: 2019,
    make: 'Kenworth',
    price_cad: 95_000,
    gvwrKg: 23_600,
    odometer_km: 412_000,
  };
  expect(await store(record, LAREDO)).toMatchObject({
    price: 95_000,
    currency: 'CAD',
    gvwr: 52_029,
    mileage: KM,
  });
});

test('a country is a member of a record and of its location', async () => {
  const record = { vin: TRUCK.VIN, year: 2019, make: 'Kenworth', price: 95_000 };
  for (const place of [{ country: 'CA' }, { location: { country: 'Canada' } }])
    expect(await store({ ...record, ...place }, LAREDO)).toMatchObject({ currency: 'CAD' });
});
