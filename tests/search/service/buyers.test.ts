import { expect, test } from 'vitest';
import { startService, type TestAccount } from '../../support/service/service.ts';
import { withCheckDigit } from '../../truth/fresh-probes.ts';

/** What buyers in Laredo, Calgary and Fresno type, and which trucks of a dealer there they mean. */

const dealers = new Map<string, TestAccount>();

type Truck = Record<string, unknown>;
const truck = (stock_number: string, year: number, make: string, model: string, more: Truck): Truck => ({
  stock_number,
  year,
  make,
  model,
  class: 8,
  currency: 'USD',
  mileage_unit: 'mi',
  ...more,
});

const LOTS: Record<string, Truck[]> = {
  Laredo: [
    truck('tracto', 2020, 'Freightliner', 'Cascadia 126', {
      body_type: 'Tractocamión c/ dormitorio 72"',
      city: 'Nuevo Laredo',
      state: 'TAM',
      drivetrain: '6x4',
      color: 'Blanco',
      price: 57_000,
    }),
    truck('kenworth', 2019, 'KW', 'T680', {
      body_type: 'Tracto estudio 86"',
      color: 'Rojo',
      city: 'Laredo',
      state: 'TX',
    }),
    truck('torton', 2021, 'International', 'MV607', {
      body_type: 'Torton caja seca 24 pies',
      city: 'Monterrey',
      state: 'NL',
    }),
    truck('rabon', 2015, 'Kenworth', 'T370', { body_type: 'Rabón caja seca', condition: 'new' }),
    truck('pipa', 2011, 'International', '4300', { body_type: 'Pipa de agua 10,000 lts' }),
    truck('grua', 2012, 'Freightliner', '114SD', {
      body_type: 'Grúa hiab / titán',
      price: 1_200_000,
      currency: 'MXN',
    }),
  ],
  Calgary: [
    truck('picker', 2018, 'Ram', '5500', { body_type: 'Flatbed Picker', engine: '6.7L Cummins', class: 5 }),
    truck('pickup', 2020, 'Ford', 'F-350', {
      body_type: 'Pickup Trucks',
      description: 'Lariat dually hotshot',
      engine: 'Power Stroke 6.7',
      transmission: 'TorqShift',
      class: 3,
    }),
    truck('exhd', 2006, 'Peterbilt', '379EXHD', { features: ['Wet kit'] }),
  ],
  Fresno: [
    truck('service', 2024, 'Ford', 'F-350', {
      body_type: 'Crew Cab Chassis',
      'Upfit Type': 'Service Body',
      rear_wheels: 'DRW',
      class: 3,
    }),
    truck('silverado', 2020, 'Chevrolet', 'Silverado 5500HD', { body_type: 'Platform', class: 5 }),
    truck('express', 2020, 'Chevrolet', 'Express 4500', {
      body_type: 'Box',
      class: 4,
      'Equipment notes': 'Tommy liftgate',
    }),
    truck('cascadia', 2013, 'Freightliner', 'CA125SLP', { body_type: 'Sleeper' }),
    truck('spreader', 2016, 'International', '4300', {
      body_type: 'Spreader',
      'Upfit Type': 'Manure Spreader',
    }),
  ],
};

const service = await startService();
for (const [stock, trucks] of Object.entries(LOTS)) {
  const dealer = await service.newAccount();
  dealers.set(stock, dealer);
  const records = trucks.map((record, at) => ({
    vin: withCheckDigit(`1TR7H000_00${100_000 + at}`),
    ...record,
  }));
  await dealer.post({ records });
}

async function search(stock: string, parameters: Record<string, string>) {
  const answer = await dealers.get(stock)?.call('GET', `/v1/inventory?${new URLSearchParams(parameters)}`);
  return answer?.body;
}

const QUERIES: readonly [lot: string, query: string, stocks: string][] = [
  ['Laredo', 'titan', 'grua'],
  ['Laredo', 'camión con grúa', 'grua'],
  ['Laredo', 'nuevo laredo', 'tracto'],
  ['Laredo', 'laredo', 'kenworth tracto'],
  ['Laredo', 'camiones nuevos', 'rabon'],
  ['Laredo', 'camiones usados kenworth', 'kenworth'],
  ['Laredo', 'rabón', 'rabon'],
  ['Laredo', 'torton caja seca', 'torton'],
  ['Laredo', 'pipa de agua', 'pipa'],
  ['Laredo', 'water truck', 'pipa'],
  ['Laredo', 'red kenworth', 'kenworth'],
  ['Laredo', 'white freightliner', 'tracto'],
  ['Laredo', 'estudio', 'kenworth tracto'],
  ['Laredo', '2019 en adelante', 'kenworth torton tracto'],
  ['Laredo', 'doble eje', 'tracto'],
  ['Laredo', 'menos de dos millones de pesos', 'grua'],
  ['Laredo', 'not freightliner tracto', 'kenworth'],
  ['Laredo', 'freightliner sin grúa', 'tracto'],
  ['Laredo', 'tracto sin dormitorio', ''],
  ['Laredo', 'kenworth no caja', 'kenworth'],
  ['Laredo', 'estudio not white', 'kenworth'],
  ['Calgary', 'boom truck', 'picker'],
  ['Calgary', 'picker', 'picker'],
  ['Calgary', 'oilfield', ''],
  ['Calgary', 'hotshot', 'pickup'],
  ['Calgary', '379', 'exhd'],
  ['Calgary', 'wetkit', 'exhd'],
  ['Calgary', 'f350 dually', 'pickup'],
  ['Calgary', '6.7 cummins', 'picker'],
  ['Calgary', '6.7', 'picker pickup'],
  ['Calgary', 'powerstroke', 'pickup'],
  ['Calgary', 'automatics', 'pickup'],
  ['Calgary', '2018 et plus', 'picker pickup'],
  ['Fresno', 'dually', 'service'],
  ['Fresno', 'f350 dually', 'service'],
  ['Fresno', 'service body', 'service'],
  ['Fresno', 'kuv', 'service'],
  ['Fresno', 'liftgate', 'express'],
  ['Fresno', 'tail lift box', 'express'],
  ['Fresno', 'chevy 5500', 'silverado'],
  ['Fresno', 'cascadia', 'cascadia'],
  ['Fresno', 'manure spreader', 'spreader'],
];

test.each(QUERIES)('buyers in %s find what they mean: %s', async (stock, q, stocks) => {
  const { listings, understood } = await search(stock, { q });
  const stockNumbers = listings.map(({ stock_number: stock }: { stock_number: string }) => stock);
  expect(stockNumbers.sort().join(' '), JSON.stringify(understood)).toBe(stocks);
});

test('a search with a word left out finds the same without facets', async () => {
  const { listings, understood } = await search('Laredo', { q: 'kenworth xyzzy' });
  expect(listings).not.toEqual([]);
  const uncounted = await search('Laredo', { q: 'kenworth xyzzy', facets: 'false' });
  expect(uncounted).toMatchObject({ listings, understood });
});
