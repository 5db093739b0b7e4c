import { expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { makePlan, type Row } from './plan.ts';

/** Files with several columns of one field. */

const VIN = '1FUJGLDR3HLHG7501';

function readRows(rows: readonly Row[], mapping: Record<string, string> | null = null) {
  const columns =
    mapping === null && Object.values(rows[0] ?? {}).every((value) => typeof value !== 'object');
  const plan = makePlan(columns ? Object.keys(rows[0] ?? {}) : null, rows, { mapping });
  return rows.map(recordReader(plan));
}
const listPrices = (rows: readonly Row[], mapping?: Record<string, string>) =>
  readRows(rows, mapping).map(({ price }) => price);

test('each row has the first usable one of its prices', () => {
  const prices = listPrices([
    { VIN, AskingPrice: '71,000', InternetPrice: '', SpecialPrice: '', UnitCost: '1' },
    { VIN, AskingPrice: '72,000', InternetPrice: '69,900', SpecialPrice: '65,000', UnitCost: '1' },
    { VIN, AskingPrice: '73,000', InternetPrice: '0', SpecialPrice: '66,000', UnitCost: '1' },
    { VIN, AskingPrice: '$0', InternetPrice: 'N/A', SpecialPrice: '', UnitCost: '55,000' },
    { VIN, AskingPrice: '74,000', InternetPrice: 'Call for price', SpecialPrice: '', UnitCost: '1' },
  ]);
  expect(prices).toEqual(['71,000', '69,900', '66,000', 'N/A', 'Call for price']);
});

test('an internet special comes before the selling price, where it is filled', () => {
  const rows = [
    { VIN, SellingPrice: '74,995', InternetSpecial: '73,995' },
    { VIN, SellingPrice: '71,500', InternetSpecial: '' },
  ];
  expect(listPrices(rows)).toEqual(['73,995', '71,500']);
});

test('a body that is only a cab', () => {
  const [row] = readRows([{ VIN, Body: 'Regular Cab', 'Upfit Type': 'Stake Bed' }]);
  const { fields } = readRecord(row ?? {}).patch;
  expect(fields).toMatchObject({ body_type: 'Stake Bed', cab: 'Regular cab' });
});

test('columns of Laredo and Laval', () => {
  const row = {
    'No. de Serie': VIN,
    'No. Eco': 'LR-01',
    Ejes: '6x4',
    Notas: 'Importado',
    Puissance: '455',
    Cabine: 'Couchette',
  };
  expect(readRows([row])[0]).toEqual({
    vin: VIN,
    stock_number: 'LR-01',
    drivetrain: '6x4',
    description: 'Importado',
    horsepower: '455',
    cab: 'Couchette',
  });
  expect(readRows([{ VIN, Ejes: '3' }])[0]).toEqual({ vin: VIN, attributes: { Ejes: '3' } });
});

test('prices inside an object', () => {
  const rows = [
    { sale: 65_000, list: 70_000 },
    { sale: null, list: 71_000 },
    { sale: 0, list: 72_000 },
  ];
  expect(listPrices(rows.map((pricing) => ({ vin: VIN, pricing: { ...pricing, cost: 50_000 } })))).toEqual([
    65_000, 71_000, 72_000,
  ]);
});

test('a price by some words of its name is none beside a price', () => {
  expect(listPrices([{ VIN, Price: '0', 'Dealer Price': '55,000' }])).toEqual([null]);
  expect(listPrices([{ VIN, 'Truck Price': '55,000' }])).toEqual(['55,000']);
});

test('what the dealer maps has no fallback', () => {
  const rows = [{ VIN, AskingPrice: '', InternetPrice: '69,900' }];
  expect(listPrices(rows, { AskingPrice: 'price' })).toEqual([null]);
});

test('other fields fall back alike', () => {
  const [blank, unusable] = readRows([
    { VIN, Mileage: '', Kms: '400,000', Body: 'Dump Truck', 'Body Style': '' },
    { VIN: '', 'Serial Number': VIN, Mileage: '0', Kms: '1,000', Body: '', 'Body Style': 'Flatbed' },
  ]);
  expect(blank).toMatchObject({ mileage: '400,000 km', body_type: 'Dump Truck' });
  expect(unusable).toMatchObject({ vin: VIN, mileage: '1,000 km', body_type: 'Flatbed' });
});
