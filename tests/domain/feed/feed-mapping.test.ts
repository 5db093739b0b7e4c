import { describe, expect, test } from 'vitest';
import {
  COLUMN_NAMES,
  columnField,
  foldColumn,
  isFeedTarget,
  LIST_FIELDS,
  misspelled,
} from '../../../lib/domain/feed/feed-columns.ts';
import { KNOWN_LAYOUTS } from '../../../lib/domain/feed/feed-layouts.ts';
import { type FeedPlan, type FeedRecipe, planFeed } from '../../../lib/domain/feed/feed-mapping.ts';
import { recordReader, withDefaults } from '../../../lib/domain/feed/feed-record.ts';
import { meansCall } from '../../../lib/domain/feed/feed-values.ts';
import { flatten } from '../../../lib/domain/feed/flatten-row.ts';
import { readRecord } from '../../../lib/domain/listing/read-record.ts';
import * as fc from '../../support/oracles/fast-check.ts';

type Row = Record<string, unknown>;

const recipe = (change: Partial<FeedRecipe> = {}): FeedRecipe => ({
  columns: null,
  mapping: null,
  defaults: {},
  class_from_vin: false,
  zero_price_is_call: true,
  source_provider_id: null,
  ...change,
});

const planOf = (columns: readonly string[], rows: readonly Row[] = [], change: Partial<FeedRecipe> = {}) =>
  planFeed(rows, recipe({ columns, ...change }));

const fieldsOf = ({ columns }: FeedPlan) =>
  Object.fromEntries(columns.flatMap(({ column, field }) => (field ? [[column, field]] : [])));

/** One row of a file of just these columns, as a record. */
const recordOf = (row: Row, change: Partial<FeedRecipe> = {}) => {
  const plan = planFeed([row], recipe({ columns: Object.keys(row), ...change }));
  return withDefaults(recordReader(plan)(row), plan);
};

const VIN = '1FUJGLDR3HLAB1234';

describe('columns', () => {
  test('the columns of known exports and of Spanish files are mapped', () => {
    const of = (row: Row) => fieldsOf(planOf(Object.keys(row), [row]));
    expect(
      of({
        VIN,
        InternetSpecial: '54,900',
        'MODEL-DESC': 'F550',
        'Upfit Type': 'Dump',
        NU: 'U',
        Style: 'Flatbed',
        Eng: 'ISX',
      }),
    ).toMatchObject({
      InternetSpecial: 'price',
      'MODEL-DESC': 'model',
      'Upfit Type': 'body_type',
      NU: 'condition',
      Eng: 'engine',
    });
    expect(of({ VIN, Yr: '2020', Mk: 'Ford', Mdl: 'F550', 'Inventory Type': 'Used' })).toMatchObject({
      ...{ Yr: 'year', Mk: 'make', Mdl: 'model', 'Inventory Type': 'condition' },
    });
    expect(
      of({
        NIV: VIN,
        Año: '2020',
        Marca: 'Ford',
        Modelo: 'F550',
        Precio: '54,900',
        Kilometraje: '100,000',
        Carrocería: 'Volteo',
      }),
    ).toMatchObject({
      Año: 'year',
      Marca: 'make',
      Modelo: 'model',
      Precio: 'price',
      Kilometraje: 'mileage',
      Carrocería: 'body_type',
    });
  });

  test('what a dealer paid goes nowhere, and sold is sold in any spelling', () => {
    const row = {
      VIN,
      UnitCost: '1',
      'Invoice Amt': '2',
      'Floor-Plan Days': '3',
      'Acquired From': '4',
      Pack: '5',
    };
    expect(recordOf(row)).toEqual({ vin: VIN });
    for (const Status of ['Sold!', 'SLD', 'Sold 11/02', 'vendido'])
      expect(recordOf({ VIN, Status }).status).toBe('sold');
    for (const Sold of ['Y', 'Yes', '1', 'TRUE', true, 'X', '11/02/2026', 'SOLD'])
      expect(recordOf({ VIN, Sold }).status, String(Sold)).toBe('sold');
    for (const Sold of ['N', 'No', '0', '', false]) expect(recordOf({ VIN, Sold })).toEqual({ vin: VIN });
    expect(recordOf({ VIN, 'Unit Status': 'SOLD' }).status).toBe('sold');
    expect(recordOf({ VIN, Price: 'SOLD' })).toMatchObject({ status: 'sold' });
    const plan = planOf(['VIN', 'Status'], [{ Status: 'Ready' }, { Status: 'On lot 3' }, { Status: 'SOLD' }]);
    expect(recordReader(plan)({ VIN, Status: 'SOLD' }).status).toBe('sold');
  });

  test.each(Object.keys(KNOWN_LAYOUTS))(
    'the layout %s is known by its header, and names each truck',
    (name) => {
      const { columns } = KNOWN_LAYOUTS[name] ?? { columns: [] };
      const plan = planOf(columns);
      expect(plan.layout).toBe(name);
      const fields = Object.values(fieldsOf(plan));
      for (const field of ['vin', 'year', 'make', 'model']) expect(fields).toContain(field);
    },
  );

  test('known layouts mean what they mean', () => {
    const of = (name: string) => fieldsOf(planOf(KNOWN_LAYOUTS[name]?.columns ?? []));
    expect(of('truck_sftp_csv')).toEqual({
      UntId: 'stock_number',
      'Stock Type': 'condition',
      Year: 'year',
      Make: 'make',
      Model: 'model',
      VIN: 'vin',
      Price: 'price',
      Mileage: 'mileage',
      'Engine Make': 'engine_make',
      Engine: 'engine',
      Horsepower: 'horsepower',
      'Transmission Type': 'transmission',
      'Drive Train': 'drivetrain',
      'Body Type': 'body_type',
      GVWR: 'gvwr',
      APU: 'feature',
      PTO: 'feature',
      'Collision Mitigation': 'feature',
      'Bunk Beds': 'feature',
    });
    expect(of('vauto_csv')).toMatchObject({
      'Stock #': 'stock_number',
      'New/Used': 'condition',
      Body: 'body_type',
      Series: 'trim',
      Odometer: 'mileage',
      Colour: 'color',
      Price: 'price',
      Photos: 'images',
      Fuel: 'fuel_type',
      DealerId: 'source_provider_id',
    });
    expect(of('homenet_csv')).toMatchObject({
      type: 'condition',
      internet_price: 'price',
      ImageList: 'images',
      miles: 'mileage',
      dealer_zip: 'zip',
    });
    expect(of('meta_aia')).toMatchObject({
      vehicle_id: 'stock_number',
      state_of_vehicle: 'condition',
      'mileage.value': 'mileage',
      'mileage.unit': 'mileage_unit',
      'image[0].url': 'images',
    });
    const pipe = of('pipe_no_header');
    expect(pipe).toMatchObject({
      type: 'body_type',
      odometer: 'mileage',
      image1: 'images',
      image10: 'images',
    });
  });

  test('what dealers pay, and what changes with every export, goes nowhere', () => {
    const row = {
      vin: VIN,
      Invoice: '50000',
      'Dealer Cost': '1',
      BookValue: '2',
      Age: '12',
      'Days on Lot': '12',
    };
    expect(recordOf(row)).toEqual({ vin: VIN });
    const others = [
      'Our Cost',
      'NetCost',
      'Acquisition Cost',
      'recon_cost',
      'Invoice Amt',
      'Floorplan Balance',
    ];
    others.push(
      'Floor Plan Amt',
      'ACV',
      'Min Price',
      'Internal Notes',
      'Last Updated',
      'Export Time',
      'PACK',
    );
    const sent = Object.fromEntries(others.map((name) => [name, '1']));
    expect(recordOf({ vin: VIN, ...sent, 'Air Package': 'yes' })).toEqual({
      vin: VIN,
      attributes: { 'Air Package': 'yes' },
    });
  });

  test('of several prices the best is taken, whatever their order; the others are kept aside', () => {
    const row = { vin: VIN, MSRP: '90000', 'List Price': '3', Price: '2', 'Internet Price': '1' };
    expect(recordOf(row)).toEqual({
      vin: VIN,
      price: '1',
      attributes: { MSRP: '90000', 'List Price': '3', Price: '2' },
    });
  });

  test('names with fillers, units and slips are found, with less confidence', () => {
    const plan = planOf(
      [
        'Vehicle VIN',
        'Truck Make',
        'GVWR (lbs)',
        'Asking Price - USD',
        'Odomter',
        'Transmision',
        'exteriorColour',
      ],
      [{ 'Vehicle VIN': VIN, 'Truck Make': 'Mack', 'GVWR (lbs)': '33,000', Odomter: '12' }],
    );
    expect(fieldsOf(plan)).toEqual({
      'Vehicle VIN': 'vin',
      'Truck Make': 'make',
      'GVWR (lbs)': 'gvwr',
      'Asking Price - USD': 'price',
      Odomter: 'mileage',
      Transmision: 'transmission',
      exteriorColour: 'color',
    });
    const confidence = Object.fromEntries(plan.columns.map((each) => [each.column, each.confidence]));
    expect(confidence['GVWR (lbs)']).toBe(1);
    expect(confidence.Odomter).toBeLessThan(confidence['Vehicle VIN'] ?? 0);
  });

  test('a slip never outweighs what is there, and short or numbered names have none', () => {
    expect(fieldsOf(planOf(['Model', 'Modle']))).toEqual({ Model: 'model' });
    for (const name of [
      'mark',
      'bake',
      'yeti',
      'vim',
      'column_1',
      'price2',
      'modelcode',
      'image_count',
      'doors',
    ])
      expect(misspelled(name), name).toBeNull();
    expect(misspelled('milage')).toBe('mileage');
    expect(misspelled('manufacterer')).toBe('make');
  });

  test('a name that may mean anything is judged by its values', () => {
    const typed = (values: string[]) =>
      fieldsOf(
        planOf(
          ['type'],
          values.map((type) => ({ type })),
        ),
      ).type ?? null;
    expect(typed(['New', 'Used', 'used'])).toBe('condition');
    expect(typed(['Sleeper', 'Day Cab', 'Box Truck'])).toBe('body_type');
    expect(typed(['A1', 'B2'])).toBeNull();
    const classed = (value: string) => fieldsOf(planOf(['class'], [{ class: value }])).class ?? null;
    expect([classed('Class 8'), classed('7'), classed('Heavy Hauler')]).toEqual(['class', 'class', null]);
    const byId = (value: string) => fieldsOf(planOf(['VehicleId'], [{ VehicleId: value }])).VehicleId;
    expect([byId(VIN), byId('10482')]).toEqual(['vin', 'stock_number']);
  });

  test('VINs are known by their looks when no column is named so', () => {
    const rows = ['1FUJGLDR9HLHT1234', '1M1AN07Y5KM012345'].map((vin, index) => ({
      Chassis: withCheckDigit(vin),
      N: index,
    }));
    expect(fieldsOf(planFeed(rows, recipe({ columns: ['Chassis', 'N'] })))).toMatchObject({ Chassis: 'vin' });
  });

  test('the feed’s own provider goes before a column of dealers', () => {
    expect(fieldsOf(planOf(['DealerId']))).toEqual({ DealerId: 'source_provider_id' });
    expect(fieldsOf(planOf(['DealerId'], [], { source_provider_id: 'dms' }))).toEqual({});
  });

  test('the dealer’s word wins, however the name is spelled, and null takes a column away', () => {
    const row = { vin: VIN, Price: '1', Cash: '2', Notes: 'x' };
    const mapping = { cash: 'price', NOTES: null };
    expect(recordOf(row, { mapping })).toEqual({ vin: VIN, price: '2', attributes: { Price: '1' } });
  });
});

/** The same with a check digit that is right. */
function withCheckDigit(vin: string): string {
  const values = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ';
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const sum = [...vin].reduce(
    (total, char, at) => total + (values.indexOf(char) % 10) * (weights[at] ?? 0),
    0,
  );
  return `${vin.slice(0, 8)}${'0123456789X'[sum % 11]}${vin.slice(9)}`;
}

describe('a row as a record', () => {
  test.each([
    '0',
    '0.00',
    '$0',
    '',
    '  ',
    'Call',
    'CALL FOR PRICE',
    'N/A',
    '-',
    'TBD',
    'Please inquire',
    0,
    null,
  ])('the price %j means call', (price) => {
    expect(recordOf({ vin: VIN, price })).toEqual({ vin: VIN, price: null });
    expect(recordOf({ vin: VIN, price }, { zero_price_is_call: false }).price).toEqual(
      price === null || String(price).trim() === '' ? undefined : price,
    );
  });

  test.each(['1', '68900', '$68,900', '68,900 USD', 'Sale 45000', '68.900,00'])(
    'the price %j does not',
    (price) => {
      expect(meansCall(price)).toBe(false);
    },
  );

  test('blanks are left out, whatever they are; unknown columns are attributes', () => {
    const row = { vin: VIN, Year: '', Make: '  ', Color: null, Sleeper: '72"', Empty: '' };
    expect(recordOf(row)).toEqual({ vin: VIN, attributes: { Sleeper: '72"' } });
  });

  test('images come from one list or many columns, features from lists and flags', () => {
    const row = {
      vin: VIN,
      photo1: 'https://i.test/1.jpg',
      photo2: 'https://i.test/2.jpg | https://i.test/3.jpg',
      Options: 'Jake brake; Wet kit',
      APU: 'Y',
      PTO: 'N',
      'Bunk Beds': 'double',
    };
    const read = readRecord(recordOf(row));
    expect(read.patch.images).toEqual([
      'https://i.test/1.jpg',
      'https://i.test/2.jpg',
      'https://i.test/3.jpg',
    ]);
    expect(read.patch.fields.features).toEqual(['Jake brake', 'Wet kit', 'APU', 'Bunk Beds: double']);
    for (const list of [
      'https://i.test/1.jpg|https://i.test/2.jpg',
      'https://i.test/1.jpg,https://i.test/2.jpg',
      'https://i.test/1.jpg; https://i.test/2.jpg',
      'https://i.test/1.jpg https://i.test/2.jpg',
      ['https://i.test/1.jpg', { url: 'https://i.test/2.jpg' }],
    ])
      expect(readRecord(recordOf({ vin: VIN, Photos: list })).patch.images).toEqual([
        'https://i.test/1.jpg',
        'https://i.test/2.jpg',
      ]);
  });

  test('parts of a value are put together: engine, units, addresses', () => {
    const engine = (make: string, model: string) =>
      recordOf({ vin: VIN, 'Engine Make': make, Engine: model }).engine;
    expect(engine('Cummins', 'X15')).toBe('Cummins X15');
    expect(engine('Cummins', 'Cummins X15')).toBe('Cummins X15');
    expect(engine('Cummins', '')).toBe('Cummins');
    const miles = (unit: string) => {
      const record = recordOf({ vin: VIN, 'mileage.value': '1000', 'mileage.unit': unit });
      return readRecord(record).patch.fields.mileage;
    };
    expect([miles('MI'), miles('KM')]).toEqual([1_000, 621]);
    expect(readRecord(recordOf({ vin: VIN, 'Odometer KM': '1000' })).patch.fields.mileage).toBe(621);
    const address = '{"addr1": "1 Main St", "city": "Waco", "region": "Texas", "postal_code": "76701"}';
    expect(readRecord(recordOf({ vin: VIN, address })).patch.place).toMatchObject({
      city: 'Waco',
      state: 'TX',
      zip: '76701',
    });
  });

  test('only sold is a status worth a change', () => {
    const of = (status: string) => recordOf({ vin: VIN, Status: status }).status;
    expect([of('Sold'), of('Available'), of('In Stock'), of('active')]).toEqual([
      'sold',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('nested rows are read by their paths, and the engine’s make is not the truck’s', () => {
    const row = {
      vehicle: { vin: VIN, make: 'Volvo', engine: { make: 'Cummins', model: 'X15' } },
      dealer: { name: 'Ours', city: 'Waco' },
      specs: { gvwr: 52_000 },
    };
    const plan = planFeed([row], recipe());
    expect(fieldsOf(plan)).toMatchObject({
      'vehicle.vin': 'vin',
      'vehicle.make': 'make',
      'specs.gvwr': 'gvwr',
    });
    expect(recordReader(plan)(row)).toMatchObject({ vin: VIN, make: 'Volvo', gvwr: 52_000 });
  });

  test('a column that only turns up later is still read by its name', () => {
    const plan = planFeed([{ vin: VIN }], recipe({ mapping: { cash: 'price' } }));
    const read = recordReader(plan);
    expect(read({ vin: VIN, gvwr: 33_000, cash: 9_000, Extra: 1 })).toEqual({
      vin: VIN,
      gvwr: 33_000,
      price: 9_000,
      attributes: { Extra: 1 },
    });
  });

  test('defaults fill what is empty; a class only where nothing tells the weight, and says so', () => {
    const defaults = { class: 'class_8', color: 'White', dealer: 'ours' };
    expect(recordOf({ vin: VIN, Color: '' }, { defaults })).toEqual({
      vin: VIN,
      color: 'White',
      dealer: 'ours',
      class: 'class_8',
      attributes: { class_source: 'default' },
    });
    expect(recordOf({ vin: VIN, Color: 'Red', GVWR: '33000' }, { defaults })).toEqual({
      vin: VIN,
      color: 'Red',
      gvwr: '33000',
      dealer: 'ours',
    });
  });
});

describe('whatever the file', () => {
  const names = [...COLUMN_NAMES.values()].flat();
  const column = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...names).map((name) => name.toUpperCase().replaceAll(' ', '_')),
    fc.constantFrom(
      'MSRP',
      'Cost',
      'x',
      'image1',
      'photo_2',
      'engine make',
      '__proto__',
      'constructor',
      'toString',
    ),
    fc.string({ maxLength: 20 }),
  );
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      'Call',
      'used',
      'class 8',
      VIN,
      'https://i.test/1.jpg',
      '33,000 lbs',
      '{',
      '{"city": 1}',
      '[]',
    ),
    fc.string(),
    fc.double(),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const table = fc
    .uniqueArray(column, { minLength: 1, maxLength: 12 })
    .chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.array(fc.tuple(...columns.map(() => value)), { maxLength: 5 }),
        header: fc.boolean(),
        mapping: fc.option(
          fc.dictionary(
            fc.constantFrom(...columns),
            fc.option(fc.constantFrom('price', 'vin', 'images', 'dealer', 'nonsense')),
          ),
        ),
      }),
    )
    .map(({ columns, rows, header, mapping }) => ({
      rows: rows.map((values) => Object.fromEntries(columns.map((name, index) => [name, values[index]]))),
      recipe: recipe({ columns: header ? columns : null, mapping }),
    }));

  test('no two columns are guessed to be one field, every column has one fate, and the plan is plain JSON', () => {
    fc.assert(
      fc.property(table, ({ rows, recipe: sent }) => {
        const plan = planFeed(rows, sent);
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        const named = new Set(plan.columns.map(({ column: name }) => name));
        expect(named.size).toBe(plan.columns.length);
        const given = new Set(Object.keys(sent.mapping ?? {}).map(foldColumn));
        const guessed = plan.columns.flatMap(({ column: name, field }) =>
          field && !LIST_FIELDS.has(field) && !given.has(foldColumn(name)) ? [field] : [],
        );
        expect(new Set(guessed).size).toBe(guessed.length);
        for (const { field, kept, confidence } of plan.columns) {
          expect(field === null || isFeedTarget(field)).toBe(true);
          expect(kept && field !== null).toBe(false);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('any row becomes a record that the pipeline can read; a guessed plan loses nothing but what is not kept', () => {
    fc.assert(
      fc.property(table, ({ rows, recipe: given }) => {
        const plan = planFeed(rows, given);
        const read = recordReader(plan);
        for (const row of rows) {
          const record = withDefaults(read(row), plan);
          expect(() => readRecord(record)).not.toThrow();
          const attributes = (record.attributes ?? {}) as Row;
          if (given.columns === null) continue;
          for (const { column: name, kept } of plan.columns) {
            const value = row[name];
            if (kept && value != null && typeof value !== 'string' && name !== '__proto__')
              expect(Object.hasOwn(attributes, name), name).toBe(true);
          }
        }
      }),
    );
  });

  test('a row is flattened without loss: every leaf once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (row) => {
        const leaves = [...flatten(row)];
        expect(
          leaves.every(([, leaf]) => typeof leaf !== 'object' || leaf === null || Array.isArray(leaf)),
        ).toBe(true);
      }),
    );
  });

  test('every name of the vocabulary is known, and means the field it stands under or one that shares it', () => {
    for (const [field, listed] of COLUMN_NAMES)
      for (const name of listed) expect(columnField(name), `${field}: ${name}`).not.toBeNull();
  });
});
