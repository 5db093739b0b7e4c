import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { buildRecord, listFields, makePlan, type Row, VIN } from './plan.ts';

describe('columns', () => {
  test('the columns of known exports and of Spanish files are mapped', () => {
    const of = (row: Row) => listFields(makePlan(Object.keys(row), [row]));
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
      Yr: 'year',
      Mk: 'make',
      Mdl: 'model',
      'Inventory Type': 'condition',
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

  test('names in another order, cut short, or with two words for one thing are mapped', () => {
    const truck = { VIN, 'Yr-Model': '2021', 'MAKE/MFR': 'INTL', Carline: 'LT625', 'Mfg Yr': '' };
    expect(listFields(makePlan(Object.keys(truck), [truck]))).toMatchObject({
      'Yr-Model': 'year',
      'MAKE/MFR': 'make',
      Carline: 'model',
    });
    const rows: Row[] = [
      { 'Année modèle': '2019', OEM: 'Mack', 'Axle Cfg': '6x4', UnitBodyLen: '12' },
      { 'Mfg Yr': '2014', 'Upfit Mfg': 'Rugby', 'Numéro d’inventaire': 'M7' },
      { Anio: '2019', Tipo_Caja: 'Volteo', Meter1: '81,000', 'Meter1 Type': 'KM' },
    ];
    expect(rows.map((row) => listFields(makePlan(Object.keys(row), [row])))).toEqual([
      { 'Année modèle': 'year', OEM: 'make', 'Axle Cfg': 'drivetrain', UnitBodyLen: 'body_length' },
      { 'Mfg Yr': 'year', 'Upfit Mfg': 'body_maker', 'Numéro d’inventaire': 'stock_number' },
      { Anio: 'year', Tipo_Caja: 'body_type', Meter1: 'mileage', 'Meter1 Type': 'mileage_unit' },
    ]);
    expect(listFields(makePlan(['Make/Model'], [{ 'Make/Model': 'Mack Granite' }]))).toEqual({});
  });

  test('asking prices and places are found under the names of truck dealers’ systems', () => {
    for (const column of [
      'List-Amt',
      'Asking $',
      'ADV-PRICE',
      'Buy Now',
      'Prix de vente',
      'Prix demandé ($ CA)',
    ])
      expect(buildRecord({ VIN, [column]: '64500' }).price, column).toMatch(/^64500/);
    expect(buildRecord({ VIN, 'Prix coûtant': '64500' })).toEqual({ vin: VIN });
    for (const column of ['SellerLocation', 'UnitLoc', 'Loc', 'Emplacement'])
      expect(buildRecord({ VIN, [column]: 'Laval, QC' }).location, column).toBe('Laval, QC');
  });

  test('the maker of a transmission stands before its name', () => {
    expect(buildRecord({ VIN, TransMake: 'Eaton', Transmission: 'Fuller 13' }).transmission).toBe(
      'Eaton Fuller 13',
    );
    expect(buildRecord({ VIN, TransMake: 'Eaton', Transmission: 'Eaton 13' }).transmission).toBe('Eaton 13');
  });

  test('a column of sleepers holds inches, or whether there is one', () => {
    for (const [column, value, cab] of [
      ['Sleeper', '76', '76 sleeper'],
      ['Sleeper Size', '72"', '72" sleeper'],
      ['Sleeper', 'Y', 'Sleeper'],
      ['Sleeper', 'N', undefined],
      ['Sleeper', '0', undefined],
      ['Sleeper Type', 'Mid roof', 'Mid roof'],
    ] as const)
      expect(buildRecord({ VIN, [column]: value }).cab, value).toBe(cab);
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
    expect(buildRecord(row)).toEqual({ vin: VIN });
    for (const Status of ['Sold!', 'SLD', 'Sold 11/02', 'vendido'])
      expect(buildRecord({ VIN, Status }).status).toBe('sold');
    for (const Sold of ['Y', 'Yes', '1', 'TRUE', true, 'X', '11/02/2026', 'SOLD'])
      expect(buildRecord({ VIN, Sold }).status, String(Sold)).toBe('sold');
    for (const Sold of ['N', 'No', '0', '', false]) expect(buildRecord({ VIN, Sold })).toEqual({ vin: VIN });
    for (const column of ['Unit Status', 'InvStatus', 'Sts'])
      expect(buildRecord({ VIN, [column]: 'SOLD' }).status, column).toBe('sold');
    for (const day of ['2026-11-01', '11/2/26', 'Nov 2, 2026'])
      expect(buildRecord({ VIN, 'Sold Date': day }).status, day).toBe('sold');
    for (const day of ['0000-00-00', '01/01/1900', '1900-01-00'])
      expect(buildRecord({ VIN, 'Sold Date': day })).toEqual({ vin: VIN });
    expect(buildRecord({ VIN, availability: 'out of stock' }).status).toBe('delisted');
    expect(buildRecord({ VIN, Price: 'SOLD' })).toMatchObject({ status: 'sold' });
    const plan = makePlan(
      ['VIN', 'Status'],
      [{ Status: 'Ready' }, { Status: 'On lot 3' }, { Status: 'SOLD' }],
    );
    expect(recordReader(plan)({ VIN, Status: 'SOLD' }).status).toBe('sold');
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
    expect(buildRecord(row)).toEqual({ vin: VIN });
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
    expect(buildRecord({ vin: VIN, ...sent, 'Air Package': 'yes' })).toEqual({
      vin: VIN,
      attributes: { 'Air Package': 'yes' },
    });
  });

  test('of several prices the best is taken, whatever their order; the others are kept aside', () => {
    const row = { vin: VIN, MSRP: '90000', 'List Price': '3', Price: '2', 'Internet Price': '1' };
    expect(buildRecord(row)).toEqual({
      vin: VIN,
      price: '1',
      attributes: { MSRP: '90000', 'List Price': '3', Price: '2' },
    });
  });

  test('names with fillers and units are found, with less confidence', () => {
    const plan = makePlan(
      ['Vehicle VIN', 'Truck Make', 'GVWR (lbs)', 'Asking Price - USD', 'Transmision', 'exteriorColour'],
      [{ 'Vehicle VIN': VIN, 'Truck Make': 'Mack', 'GVWR (lbs)': '33,000' }],
    );
    expect(listFields(plan)).toEqual({
      'Vehicle VIN': 'vin',
      'Truck Make': 'make',
      'GVWR (lbs)': 'gvwr',
      'Asking Price - USD': 'price',
      Transmision: 'transmission',
      exteriorColour: 'color',
    });
    const confidence = Object.fromEntries(plan.columns.map((each) => [each.column, each.confidence]));
    expect(confidence['GVWR (lbs)']).toBe(1);
    expect(confidence['Truck Make']).toBeLessThan(1);
  });

  test('a name that may mean anything is judged by its values', () => {
    const typed = (values: string[]) =>
      listFields(
        makePlan(
          ['type'],
          values.map((type) => ({ type })),
        ),
      ).type ?? null;
    expect(typed(['New', 'Used', 'used'])).toBe('condition');
    expect(typed(['Sleeper', 'Day Cab', 'Box Truck'])).toBe('body_type');
    expect(typed(['A1', 'B2'])).toBeNull();
    const classed = (value: string) => listFields(makePlan(['class'], [{ class: value }])).class ?? null;
    expect([classed('Class 8'), classed('7'), classed('Heavy Hauler')]).toEqual(['class', 'class', null]);
    const byId = (value: string) => listFields(makePlan(['VehicleId'], [{ VehicleId: value }])).VehicleId;
    expect([byId(VIN), byId('10482')]).toEqual(['vin', 'stock_number']);
  });

  test('the feed’s own provider goes before a column of dealers', () => {
    expect(listFields(makePlan(['DealerId']))).toEqual({ DealerId: 'source_provider_id' });
    expect(listFields(makePlan(['DealerId'], [], { source_provider_id: 'dms' }))).toEqual({});
  });

  test('the dealer’s word wins, however the name is spelled, and null takes a column away', () => {
    const row = { vin: VIN, Price: '1', Cash: '2', Notes: 'x' };
    const mapping = { cash: 'price', NOTES: null };
    expect(buildRecord(row, { mapping })).toEqual({ vin: VIN, price: '2', attributes: { Price: '1' } });
  });
});
