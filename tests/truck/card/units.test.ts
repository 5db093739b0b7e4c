import { expect, test } from 'vitest';
import { describeMileage, describePlace, describeWeight } from '../../../lib/truck/card/card-words.ts';
import { listSpecs } from '../../../lib/truck/card/specs.ts';

const CALGARY = { city: 'Calgary', state: 'AB' };
const LAREDO = { city: 'Laredo', state: 'TX' };
const REYNOSA = { city: 'Reynosa', state: 'TAM' };

test.each([643_000, 1_020_331])('%d km in Canada are shown as they were sent', (km) => {
  const miles = Math.round(km * 0.621_371_192);
  const [kilometers = ''] = describeMileage(miles, CALGARY, 'en')?.split(' ') ?? [];
  expect(Math.abs(Number(kilometers.replaceAll(',', '')) - km)).toBeLessThanOrEqual(km % 10 === 0 ? 0 : 1);
});

test('units are those of the place, and states of Mexico are written out', () => {
  expect(describeMileage(75_497, LAREDO, 'es')).toBe('75,497 mi');
  expect(describeMileage(75_497, REYNOSA, 'es')).toBe('121,500 km');
  expect(describeMileage(75_497, null, 'en')).toBe('75,497 mi');
  expect(describeWeight(80_028, CALGARY, 'en')).toBe('80,028 lb (36,300 kg)');
  expect(describeWeight(33_000, LAREDO, 'en')).toBe('33,000 lb');
  expect(describePlace(REYNOSA)).toBe('Reynosa, Tamaulipas');
  expect(describePlace(LAREDO)).toBe('Laredo, TX');
});

test('a long value is cut between characters', () => {
  const attributes = { 'Rear Axle': `${'x'.repeat(69)}🚚` };
  expect(JSON.stringify(listSpecs({ vin: '', attributes }, 'en', 0))).not.toMatch(/\\ud83d/);
});
