import { expect, test } from 'vitest';
import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { enrich } from '../../lib/pipeline/enrich.ts';
import { applyPatch } from '../../lib/truck/listing/merge.ts';
import { NO_PLACE, readDealerPlace } from '../../lib/truck/place/place.ts';
import { buildRecord } from '../feeds/mapping/plan.ts';
import { candidate, noTables } from './candidates.ts';
import { acceptRecord, VIN } from './validated.ts';

/** What of a truck's row is in which currency and unit, from its dealer's file to the document that is stored. */

const CALGARY = { ...NO_PLACE, city: 'Calgary', state: 'AB' };
const NUEVO_LAREDO = { ...NO_PLACE, city: 'Nuevo Laredo', state: 'TAM' };
const LAREDO = { ...NO_PLACE, city: 'Laredo', state: 'TX' };
const TRUCK = { vin: VIN, year: 2015, make: 'Freightliner' };

async function store(record: object, dealer: typeof CALGARY | null) {
  const { vin, sourceProviderId, patch, warnings } = acceptRecord(record);
  const truck = applyPatch({ vin, sourceProviderId }, null, patch, null);
  const batch = [{ ...candidate(truck), warnings, dealerPlace: readDealerPlace(dealer) }];
  const needs = { geocoder: bundledGeocoder(), decodeVins: noTables, currentYear: 2026 };
  const [outcome] = await enrich(batch, needs);
  if (outcome?.kind !== 'continue') return { rejected: outcome };
  const { doc, warnings: all } = outcome.item;
  return { ...doc, state: doc.location?.state, warnings: all.map(({ code }) => code) };
}

const ASSUMED = ['CURRENCY_ASSUMED', 'UNIT_ASSUMED'];
const KM = 256_005;
const IN_CANADA = { price: 95_000, currency: 'CAD', mileage: KM, state: 'AB', warnings: ASSUMED };
const SENT = { Odometer: '412,000', Price: '95,000' };

test.each([
  ['a city in its dealer’s province', { ...SENT, City: 'Calgary' }, CALGARY, IN_CANADA],
  [
    'a city that is on no map',
    { ...SENT, Price: '550,000', City: 'Col. Hipódromo' },
    NUEVO_LAREDO,
    { price: 550_000, currency: 'MXN', mileage: KM, warnings: ASSUMED },
  ],
  [
    'a truck in Texas of a dealer in Mexico',
    { ...SENT, City: 'Laredo', State: 'TX' },
    NUEVO_LAREDO,
    { price: 95_000, currency: null, mileage: 412_000, state: 'TX', warnings: [] },
  ],
  [
    'the value before the header',
    { 'Price (CAD)': '95,000 USD' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  [
    'dollars in the header',
    { 'Price USD': '95,000', City: 'Calgary', Province: 'AB' },
    CALGARY,
    { price: 95_000, currency: 'USD', warnings: [] },
  ],
  [
    'pesos in the header',
    { 'Precio en pesos': '950,000' },
    LAREDO,
    { price: 950_000, currency: 'MXN', warnings: [] },
  ],
  [
    'a column of currencies',
    { Price: '95,000', 'CAD/USD': 'USD' },
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
  ['kilograms in the header', { 'GVW (kg)': '8,845' }, CALGARY, { gvwr: 19_500, class: 'class_5' }],
  ['rounded kilograms', { GVWR: '15 000 kg' }, CALGARY, { gvwr: 33_000, class: 'class_7' }],
  [
    'a price in Tamaulipas that no truck has in pesos',
    { Price: '15,000', State: 'Tamps' },
    null,
    { price: 15_000, currency: null, warnings: ['CURRENCY_ASSUMED'] },
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
  ['a country alone', { ...SENT, Country: 'CAN' }, null, { ...IN_CANADA, state: null }],
  [
    'a country that is not one’s dealer’s',
    { ...SENT, Country: 'Canada', City: 'Laredo' },
    LAREDO,
    { ...IN_CANADA, state: null },
  ],
  ['a country after a city', { ...SENT, City: 'Calgary, Canada' }, null, IN_CANADA],
  ['a country after a province', { ...SENT, Location: 'Calgary, AB, CA' }, null, IN_CANADA],
  ['a country after a ZIP code', { ...SENT, Zip: 'T2P 1J9 CANADA' }, null, IN_CANADA],
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

test('members of a record say units and countries as columns do', async () => {
  const record = { ...TRUCK, price_cad: 95_000, gvwrKg: 23_600, odometer_km: 412_000 };
  const stored = { price: 95_000, currency: 'CAD', gvwr: 52_029, mileage: KM };
  expect(await store(record, LAREDO)).toMatchObject(stored);
  for (const place of [{ country: 'CA' }, { location: { country: 'Canada' } }])
    expect(await store({ ...TRUCK, price: 95_000, ...place }, LAREDO)).toMatchObject({ currency: 'CAD' });
});
