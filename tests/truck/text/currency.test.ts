import { expect, test } from 'vitest';
import { toCard } from '../../../lib/truck/card/card.ts';
import { findCurrency, formatPrice } from '../../../lib/truck/text/currency.ts';

const TRUCK = {
  vin: '1FUJGLDR3HLHG7501',
  make: 'Freightliner',
  price: 850_000,
  currency: 'MXN',
  status: 'available' as const,
};

test.each([
  [61_400, 'CAD', 'CA$61,400'],
  [850_000, 'MXN', 'MX$850,000'],
  [54_900, 'USD', '$54,900'],
])('%d %s is written %s', (price, currency, text) => {
  expect(formatPrice(price, currency)).toBe(text);
});

test.each([
  ['61,400 CAN + tx', 'CAD'],
  ['61 400 $ canadiens', 'CAD'],
  ['$850,000 mexicanos', 'MXN'],
])('%s is in %s', (price, currency) => {
  expect(findCurrency(price)).toBe(currency);
});

test('a card says what its price is in', () => {
  expect(toCard(TRUCK, '', 'en')).toMatchObject({ price: 850_000, currency: 'MXN' });
  expect(toCard({ ...TRUCK, currency: null }, '', 'en')).toMatchObject({ currency: 'USD' });
  expect(toCard({ ...TRUCK, price: null }, '', 'en')).toMatchObject({ price: null, currency: null });
});
