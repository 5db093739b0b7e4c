import { describe, expect, test } from 'vitest';
import { acceptRecord, good, listWarnings, rejected } from './validated.ts';

describe('reading', () => {
  test('names of columns in any Unicode form, as a feed reads them', () => {
    const column = 'Couleur extérieure'.normalize('NFD');
    expect(acceptRecord({ ...good, [column]: 'Red' }).patch.fields).toMatchObject({ color: 'Red' });
  });

  test('values as dealers write them', () => {
    const { patch, warnings } = acceptRecord({
      ...good,
      price: '$68,900.40',
      odometer: '412,350 mi',
      hp: '455 hp',
      model: 4300,
      condition: ' Pre-Owned ',
      features: 'APU; Collision mitigation;;APU',
      location: 'El Paso, TX 79901',
      lat: '31.76',
      lng: -106.48,
      dealer_slug: ' Lone-Star ',
      apu: 'Y',
    });
    expect(warnings).toEqual([]);
    expect(patch).toEqual({
      fields: {
        year: 2015,
        make: 'Freightliner',
        price: 68_900,
        mileage: 412_350,
        mileage_unit: 'mi',
        horsepower: 455,
        model: '4300',
        condition: 'used',
        features: ['APU', 'Collision mitigation'],
      },
      place: { city: 'El Paso', state: 'TX', zip: '79901', latitude: 31.76, longitude: -106.48 },
      dealer: 'lone-star',
      attributes: { apu: 'Y' },
    });
  });

  test.each([
    ['PRICE_UNREADABLE', { price: 'cheap' }],
    ['MILEAGE_UNREADABLE', { mileage: -5 }],
    ['BODY_TYPE_UNREADABLE', { body_type: [{}, ' '] }],
    ['URL_UNREADABLE', { url: 'javascript:alert(1)' }],
    ['STATE_UNREADABLE', { state: 'Texsa' }],
    ['LONGITUDE_UNREADABLE', { latitude: 31 }],
    ['STATUS_IGNORED', { status: 'pending' }],
  ])('an unreadable optional value is left out with %s', (code, extra) => {
    const { patch, warnings } = acceptRecord({ ...good, ...extra });
    expect([patch, warnings]).toMatchObject([{ fields: { year: 2015, make: 'Freightliner' } }, [{ code }]]);
    expect([Object.keys(patch), warnings.length]).toEqual([['fields'], 1]);
  });

  test('a range of GVWR gives the class, unless the record names one, and no rating', () => {
    const gvwr = 'Class 6: 19,501 - 26,000 lb';
    for (const [sentClass, readClass] of [
      [undefined, 'class_6'],
      [7, 'class_7'],
    ]) {
      const { warnings, patch } = acceptRecord({ ...good, gvwr, class: sentClass });
      expect(warnings).toMatchObject([{ code: 'GVWR_RANGE' }]);
      expect(patch.fields).toEqual({ year: 2015, make: 'Freightliner', class: readClass });
    }
  });

  test('members beyond the first 1,000 are not looked at, and the warning counts them', () => {
    const options = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`option ${at}`, 'yes']));
    const { patch, warnings } = acceptRecord({ ...good, ...options, price: 54_900 });
    expect(patch.fields.price).toBeUndefined();
    expect(Object.keys(patch.attributes ?? {})).toHaveLength(100);
    const message = expect.stringContaining('and 4896 more');
    expect(warnings).toMatchObject([{ code: 'ATTRIBUTES_DROPPED', message }]);
  });

  test('an odd VIN is accepted with a warning', () => {
    expect(listWarnings({ ...good, vin: 'IOQJGBDV3FLFZ2286' })).toEqual(['VIN_CHARACTERS']);
    expect(acceptRecord({ ...good, vin: 11111111111111112n.toString() }).vin).toHaveLength(17);
  });

  test('too long a text is cut with a warning', () => {
    const { patch, warnings } = acceptRecord({ ...good, model: 'x'.repeat(500) });
    expect([patch.fields.model, warnings]).toMatchObject(['x'.repeat(80), [{ code: 'TEXT_SHORTENED' }]]);
  });
});

describe('currencies, units and names', () => {
  test.each<[object, object, string?]>([
    [{ price: 'Call for price' }, { price: null }],
    [
      { odometer: 100_000, mileage_unit: 'KM' },
      { mileage: 62_137, mileage_unit: 'mi' },
    ],
    [{ body_type: 'Crew Cab' }, { cab: 'Crew cab', body_description: 'Crew Cab' }],
    [{ body_type: 'Frobnicator 3000' }, { body_description: 'Frobnicator 3000' }, 'BODY_TYPE_UNREADABLE'],
    [
      { drw: 'Y', 'Body Length': "26'", CA: 108 },
      { rear_wheels: 'dual', body_length: 26, cab_to_axle: 108 },
    ],
    [{ drivetrain: 'OTHER', transmission: 'N/A', color: '-', trim: 'None' }, {}],
    [{ body_type: 'Commercial' }, {}, 'BODY_TYPE_UNREADABLE'],
    [
      { stock: '="006"', price: '="54900"', model: '="Ｔ６８０"' },
      { stock_number: '006', price: 54_900, model: 'T680' },
    ],
    [{ dealer_cost: 1, 'Invoice Amt': 2, floorplan_days: 3 }, {}],
  ])('%j', (extra, fields, ...codes) => {
    const { patch, warnings } = acceptRecord({ ...good, ...extra });
    expect(patch.fields).toEqual({ year: 2015, make: 'Freightliner', ...fields });
    expect(patch.attributes).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(codes.filter(Boolean));
  });

  test('costs go nowhere, however deep', () => {
    const pricing = { cost: 5, msrp: 7, terms: [{ invoice: 6, days: 30 }] };
    const attributes = { pricing: { msrp: 7, terms: [{ days: 30 }] } };
    for (const extra of [{ pricing }, { attributes: { pricing, 'INV-AMT': 2 } }])
      expect(acceptRecord({ ...good, ...extra }).patch.attributes).toEqual(attributes);
  });

  test.each([
    ['sold', ['Vendido', 'SOLD!', 'Sold - awaiting delivery', 'Delivered']],
    ['delisted', ['NOT_AVAILABLE', 'out of stock', 'No disponible', 'Inactive']],
    [undefined, ['Unsold', 'Sold as is', 'Solde', 'Apartado']],
  ])('the status %s', (status, texts) => {
    for (const value of texts)
      expect(acceptRecord({ ...good, status: value }).patch.status, value).toBe(status);
  });

  test.each([
    [{ vin: '1XKYD49X6KJ113001 / 1XKYD49X0KJ113138' }, 'vin holds 2 VINs'],
    [{ gvwr: '8,845', state: 'AB' }, 'in kilograms send "8,845 kg"'],
  ])('a reject says what would mend it: %j', (value, fix) => {
    expect(rejected({ ...good, ...value }).violations[0]?.fix).toContain(fix);
  });
});

test.each([
  [' dms-1 ', 'other', 'dms-1'],
  ['', 7, '7'],
  [{}, 'batch', 'batch'],
  [undefined, [], ''],
  ['x'.repeat(300), undefined, 'x'.repeat(200)],
])('a source_provider_id of %j with the batch default %j is %j', (recordProvider, batchDefault, expected) => {
  for (const name of ['source_provider_id', 'sourceProviderId'])
    expect(acceptRecord({ ...good, [name]: recordProvider }, batchDefault).sourceProviderId).toBe(expected);
});
