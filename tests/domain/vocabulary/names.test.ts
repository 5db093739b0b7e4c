import { describe, expect, test } from 'vitest';
import { BLOCKED_BODIES } from '../../../lib/contract/fields.ts';
import { explainSuspiciousPrice, priceBand } from '../../../lib/domain/price/price-envelope.ts';
import { BODIES, CONSUMER_WORDS } from '../../../lib/domain/vocabulary/bodies.ts';
import { blockedBody, canonicalBody, isTruckBody } from '../../../lib/domain/vocabulary/body.ts';
import { canonicalModel } from '../../../lib/domain/vocabulary/model.ts';
import { canonicalFuel, readCondition } from '../../../lib/domain/vocabulary/resolve.ts';
import { fullTradeName } from '../../../lib/domain/vocabulary/series.ts';
import {
  readWeightClass,
  readWeightRange,
  truckClass,
  weightClassFor,
} from '../../../lib/domain/vocabulary/weight-class.ts';
import * as fc from '../../support/oracles/fast-check.ts';

describe('bodies', () => {
  test.each<[string, string | null]>([
    ['Dump Trailer', null],
    ['Flatbed Trailers', null],
    ['Semi Trailer', null],
    ['Tractor Trailer', 'tractor'],
    ['Dump truck and trailer', 'dump'],
    ['Dump w/ pup trailer', 'dump'],
    ['TRCTR T/A D/C', 'day_cab_tractor'],
    ['Remorqueuse plateforme', 'rollback'],
    ['78" Ultra Cab', 'sleeper_tractor'],
  ])('%s: %s', (text, body) => {
    expect(canonicalBody(text)).toBe(body);
  });

  test('the eight consumer bodies and their long forms are blocked in any case', () => {
    for (const body of BLOCKED_BODIES) {
      for (const form of [body, ` ${body.toUpperCase()} `, ...CONSUMER_WORDS[body]]) {
        expect(blockedBody(form)).toBe(body);
      }
    }
    expect(blockedBody('4-Door Sedan')).toBe('sedan');
    expect(blockedBody('SUVs')).toBe('suv');
    expect(blockedBody('Station Wagons')).toBe('wagon');
    expect(blockedBody('Coupes')).toBe('coupe');
    expect(canonicalBody('Dump Trucks')).toBe('dump');
    expect(canonicalBody('Buses')).toBe('bus');
  });

  test('so are the short forms of dealers’ systems', () => {
    for (const [form, body] of [
      ['4dr Sdn', 'sedan'],
      ['Pass Car', 'sedan'],
      ['2dr Cpe', 'coupe'],
      ['5dr HB', 'hatchback'],
      ['Sta Wgn', 'wagon'],
      ['Sport Util 4D', 'suv'],
      ['Sport-Ute', 'suv'],
      ['AWD XOver', 'crossover'],
      ['Fourgonnette familiale', 'minivan'],
    ] as const)
      expect([form, blockedBody(form)]).toEqual([form, body]);
  });

  test.each([
    'van',
    'Cargo Van',
    'Conv',
    'Wgn Body Shop',
    'Util',
    'pickup',
    'Sport Utility Truck',
    'station wagon body shop',
    'suv hauler',
    'Box',
  ])('%s is not blocked', (body) => {
    expect(blockedBody(body)).toBeNull();
  });

  test('every truck body is its canonical name and none is blocked', () => {
    for (const { name, spellings, whole } of BODIES.values()) {
      for (const form of [...spellings, ...whole]) {
        expect([form, canonicalBody(form)]).toEqual([form, name]);
        expect([form, blockedBody(form)]).toEqual([form, null]);
      }
    }
  });

  test('an unknown body is none', () => {
    expect(canonicalBody('Frobnicator 3000')).toBeNull();
    expect(isTruckBody('Frobnicator 3000')).toBe(false);
  });

  test('canonical names of any text are stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const body = canonicalBody(text);
        expect(body === null ? null : canonicalBody(body)).toBe(body);
        expect(canonicalFuel(canonicalFuel(text))).toBe(canonicalFuel(text));
      }),
    );
  });
});

describe('weight classes', () => {
  test.each([
    [8, 8],
    ['8', 8],
    ['8.0', 8],
    ['Class 8', 8],
    ['class_8', 8],
    ['CLASS-8', 8],
    ['class8', 8],
    ['Class VIII', 8],
    ['iv', 4],
    ['CL8 truck', 8],
    ['2b', 2],
    ['2E', 2],
    ['Class 6: 19,501 - 26,000 lb (8,845 - 11,794 kg)', 6],
    ['Heavy Duty (Class 8)', 8],
    ['Light Duty (Class 3)', 3],
    ['Class 1-2', 2],
    ['class 1 & 2', 2],
    ['2A/2B', 2],
    ['Light Duty (Class 1-2)', 2],
    ['Light Duty', 2],
    ['light-duty trucks', 2],
    ['Clase 2', 2],
    ['classe 1', 1],
    ['Clase 1-2', 2],
    ['Camión (clase 8)', 8],
    ['2 - 6,001-10,000 lb', 2],
    ['8 - 33,001+', 8],
    ['Class Six', 6],
    ['Eight', 8],
    ['Clase Siete', 7],
    ['Classe Quatre', 4],
    ['6 - Medium', 6],
    ['8 - Heavy Duty', 8],
    ['7 Heavy', 7],
    ['8 - HD', 8],
    ['6 - Medium Duty (19,501 - 26,000 lbs)', 6],
    ['Class 3 - 6 wheels', 3],
    ['2 - LD', 2],
    ['Class 8 - Day Cab', 8],
    ['Class 8, Sleeper', 8],
    ['Class 7 / CDL', 7],
    ['class 7 (heavy)', 7],
    ['Class 8 - 6x4', 8],
    ['Class 6 - 6 cyl', 6],
    ['Class Eight - Heavy Duty Tractor', 8],
    ['Class Two', 2],
    ['Class One', 1],
    ['Clase Dos', 2],
    ['Classe Deux', 2],
    ['CLASS II', 2],
    ['2 - Light', 2],
    ['1 - Light Duty', 1],
    ['2b - Light Duty', 2],
    ['Class 2b - Light Duty', 2],
    ['Class 2 - Pickup', 2],
    ['Class 2 - 4 door', 2],
    ['Light Duty - Class Two', 2],
    ['Class One and Two', 2],
    ['Light - 2', 2],
    ['Light Duty 2', 2],
    ['LD-2', 2],
    ['Class No. 2', 2],
    ['Classe n° 2', 2],
    ['Class (2)', 2],
    ['2 / Light', 2],
    ['2 — Light', 2],
    ['2 - ligera', 2],
    ['2 - légère', 2],
    ['Class 1 to Class 2', 2],
    ['Clase 1 y 2', 2],
    ['Class 2 - under 10,000 lbs', 2],
    ['HD 8', 8],
    ['Heavy Duty (8)', 8],
    ['Medium - 6', 6],
    ['Clase 7 - pesada', 7],
    ['6 Class', 6],
    ['Class 8, 3 axles', 8],
    ['Class 6 - 6.7 Cummins', 6],
    ['Class 6, up to 26,000 lb', 6],
    ['Class 6 - Under CDL', 6],
    ['Clase 6 a gasolina', 6],
  ])('%j is class %i', (sent, weightClass) => {
    expect(readWeightClass(sent)).toBe(weightClass);
  });

  test.each([
    'HD',
    'heavy duty',
    'Medium Duty',
    '7/8',
    'class 7-8',
    'Class 7 & 8',
    'Class 2-3',
    'Class 7 to Class 8',
    'Class Seven or Eight',
    'Class 7 — 8',
    'Class 3 through 5',
    'Class Three through Five',
    'Class 7; 8',
    'Class 7 | 8',
    'Class 7.5',
    'Clase 7 y 8',
    'Clase 3 a 5',
    'Classe 2 et 3',
    'Classe 3 à 5',
    'Class 3+',
    'Below Class 3',
    'Over Class 2',
    'Not Class 1 or 2',
    'Class 3 hitch',
    'Class 1 licence',
    'HD 6x4',
    'Light 2 door',
    'Medium 4-6',
    'Light 2-3',
    'Class 7 - 8 Tractor',
    'Class 3 and up',
    'Class 3/4 ton',
    '6x4',
    '6 x 4',
    '6 cyl',
    '6 - Cylinder',
    '4 Door',
    '6-speed',
    'Business class 4 door',
    '6 medium 7 heavy',
    'clase 2-3',
    'Light to medium duty',
    '1/2 ton',
    '9',
    0,
    9,
    3.5,
    '-8',
    true,
    {},
    [],
  ])('%j names no single class', (sent) => {
    expect(readWeightClass(sent)).toBeNull();
  });

  test.each([
    ['Class 6: 19,501 - 26,000 lb', { class: 6, min: 19_501 }],
    ['Class 6: 19,501 - 26,000 lb (8,845 - 11,793 kg)', { class: 6, min: 19_501 }],
    ['Class 8: 33,001 lb and above (14,969 kg and above)', { class: 8, min: 33_001 }],
    ['Class 2E: 6,001 - 7,000 lb (2,722 - 3,175 kg)', { class: 2, min: 6_001 }],
    ['19,501 - 26,000 lbs', { class: 6, min: 19_501 }],
    ['10,001 lb to 14,000 lb', { class: 3, min: 10_001 }],
    ['19501–26000', { class: 6, min: 19_501 }],
    ['10,000 - 14,000 lb', null],
    ['Class 5: 19,501 - 26,000 lb', null],
    ['8,845 - 11,793 kg', null],
    ['26,000', null],
    ['heavy', null],
    [26_000, null],
  ])('the weight %j as a range is %j', (sent, range) => {
    expect(readWeightRange(sent)).toEqual(range);
  });

  test.each([
    [0, 1],
    [6_000, 1],
    [6_001, 2],
    [10_000, 2],
    [10_001, 3],
    [14_001, 4],
    [16_001, 5],
    [19_501, 6],
    [26_000, 6],
    [26_001, 7],
    [33_000, 7],
    [33_001, 8],
    [900_000, 8],
  ])('%i lb is class %i', (gvwr, weightClass) => {
    expect(weightClassFor(gvwr)).toBe(weightClass);
  });

  test('only classes 3 to 8 are trucks', () => {
    expect([1, 2, 3, 8].map(truckClass)).toEqual([null, null, 'class_3', 'class_8']);
  });
});

describe('prices', () => {
  test.each([
    [2028, 10_000, 2_000_000],
    [2026, 10_000, 2_000_000],
    [2025, 7_500, 2_000_000],
    [2021, 4_000, 1_500_000],
    [2020, 2_000, 900_000],
    [2010, 1_000, 400_000],
    [1990, 1_000, 300_000],
  ])('a truck of %i costs %i to %i', (year, min, max) => {
    expect(priceBand(year, 2026)).toEqual({ min, max });
  });

  test('a price that repeats the odometer or looks like a monthly payment is doubted', () => {
    const truck = {
      class: null,
      body_type: null,
      confirmed_price: null,
      mileage: null,
      year: 2022,
      price: 2_500,
    };
    const explain = (change: Partial<typeof truck> | object) =>
      explainSuspiciousPrice({ ...truck, ...change }, 2026);
    expect(explain({ price: 45_000, mileage: 45_000, year: 2020 })).toContain('mileage');
    expect(explain({})).toContain('monthly');
    expect(explain({ year: 2010 })).toBeNull();
    expect(explain({ price: null })).toBeNull();
    expect(explain({ confirmed_price: 2_500 })).toBeNull();
  });

  test('a digit too many or too few is noticed, and the likely price is named', () => {
    const tractor = {
      class: 'class_8',
      body_type: 'sleeper_tractor',
      year: 2021,
      mileage: 400_000,
      confirmed_price: null,
    };
    const explain = (price: number, change = {}) =>
      explainSuspiciousPrice({ ...tractor, price, ...change }, 2026);
    expect(explain(689_000)).toContain('is it $68,900?');
    expect(explain(6_890)).toContain('is it $68,900?');
    expect([explain(68_900), explain(25_000), explain(190_000)]).toEqual([null, null, null]);
    expect(explain(689_000, { confirmed_price: 689_000 })).toBeNull();
    expect(explain(689_000, { confirmed_price: 68_900 })).not.toBeNull();
    expect(explain(689_000, { body_type: 'fire' })).toBeNull();
  });
});

describe('short vocabularies', () => {
  test.each([
    ['NEW', 'new'],
    ['New Inventory', 'new'],
    ['N', 'new'],
    ['USED TRUCK', 'used'],
    ['pre-owned', 'used'],
    ['Certified', 'used'],
    ['https://schema.org/UsedCondition', 'used'],
    ['excellent', null],
    ['newer', null],
    ['unused', null],
  ])('condition %s is %s', (sent, condition) => {
    expect(readCondition(sent)).toBe(condition);
  });

  test('fuels fold', () => {
    expect(['DSL', 'Gas', 'CNG', 'Wood Gas'].map(canonicalFuel)).toEqual([
      'diesel',
      'gasoline',
      'natural_gas',
      'wood_gas',
    ]);
  });

  test('the code and the parts of a trade name are the model that the VIN names', () => {
    const workStar = { make: 'International', model: 'WorkStar 7400', series: 'SF625' };
    for (const sent of [
      'SF625',
      '7400',
      'WorkStar',
      'SF625 WorkStar',
      'WorkStar 7400',
      'sf-625',
      '7400 SBA 6x4',
    ])
      expect(fullTradeName(sent, workStar)).toBe('WorkStar 7400');
    for (const sent of ['7600', 'WorkStar 7600', 'SBA']) expect(fullTradeName(sent, workStar)).toBe(sent);
    const proStar = { make: 'International', model: 'ProStar', series: 'LF687' };
    expect(fullTradeName(canonicalModel('ProStar+ 122', 'International'), proStar)).toBe('ProStar');
    const t370 = { make: 'Kenworth', model: 'T370', series: 'T3 Series' };
    expect(['T3', 'T3 series', 'T3SERIES', 'T380'].map((sent) => fullTradeName(sent, t370))).toEqual([
      ...['T370', 'T370', 'T370', 'T380'],
    ]);
    expect(fullTradeName('126', { make: 'Freightliner', model: 'Cascadia', series: '126' })).toBe('126');
  });

  test('a model loses the make in front of it, but never all of itself', () => {
    expect(canonicalModel('KENWORTH Kenworth T680', 'Kenworth')).toBe('T680');
    expect(canonicalModel('Kenworth', 'Kenworth')).toBe('Kenworth');
    expect(canonicalModel('T680', '')).toBe('T680');
  });

  test('a factory’s code is the model that the trade calls otherwise', () => {
    expect(canonicalModel('sf-625', 'International')).toBe('WorkStar 7400');
    expect(canonicalModel('International LF687', 'International')).toBe('ProStar');
    for (const sent of ['LT625', 'SF625X']) expect(canonicalModel(sent, 'International')).toBe(sent);
    expect(canonicalModel('SF625', 'Mack')).toBe('SF625');
  });
});
