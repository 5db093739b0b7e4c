import { describe, expect, test } from 'vitest';
import type { QueryFilters } from '../../../lib/domain/search/query-filters.ts';
import { readQuery } from '../../../lib/domain/search/read-query.ts';
import { isCanonicalMake, matchMakes, matchModels } from '../../../lib/domain/search/search-words.ts';

const NAMES = [
  { make: 'Freightliner', model: 'Cascadia' },
  { make: 'Freightliner', model: 'Cascadia 126' },
  { make: 'Freightliner', model: 'M2 106' },
  { make: 'Kenworth', model: 'T680' },
  { make: 'Kenworth', model: 'T880' },
  { make: 'Peterbilt', model: '389' },
  { make: 'Western Star', model: '4900' },
  { make: 'Kalmar', model: 'Ottawa T2' },
  { make: 'Hino', model: '' },
];

/** A term as text: `a | b c`, beginnings marked by a star. */
const terms = (query: string) =>
  readQuery(query, [], {}).terms.map((term) =>
    term.map((words) => words.map(({ text, prefix }) => (prefix ? `${text}*` : text)).join(' ')).join(' | '),
  );

describe('words that are looked for', () => {
  test.each<[string, string[]]>([
    ['casc', ['casc*']],
    ['T690', ['t690*']],
    ['KW T-680', ['kw*', 't* 680 | t680*']],
    ['red', ['red | rojo | roja | rouge']],
    ['Montréal', ['montreal*']],
    ['1FUJGLDR3H9999999', ['1fujgldr3h9999999*']],
    ['LS 109', ['ls* | ls109', '109 | ls109']],
    ['!& | () :* <-> \'"\\', []],
    ['wetkit', ['wetkit* | wet kit | wet line | wetline']],
    ['rail gate', ['rail* | railgate', 'gate* | railgate']],
    ['gate', ['gate*']],
  ])('%s', (query, expected) => {
    expect(terms(query)).toEqual(expected);
  });

  test('a query of very many words is cut to twelve', () => {
    expect(terms('a1 '.repeat(100))).toHaveLength(12);
  });
});

test.each([
  ['chevy', true],
  ['Freghtliner', true],
  ['Unheard Of', false],
])('%s is a make that needs no look at the account: %s', (make, expected) => {
  expect(isCanonicalMake(make)).toBe(expected);
});

test.each<[string, string[]]>([
  ['chevy', ['Chevrolet']],
  ['GM', ['Chevrolet', 'GMC']],
  ['freightliner llc', ['Freightliner']],
  ['KALMAR', ['Kalmar']],
  ['Kallmar', ['Kalmar']],
  ['Unheard Of', ['Unheard Of']],
])('make=%s means %j', (text, expected) => {
  expect(matchMakes(text, NAMES)).toEqual(expected);
});

test.each<[string, string[] | null, string[]]>([
  ['cascadia', null, ['Cascadia']],
  ['CASCADIA-126', ['Freightliner'], ['Cascadia 126']],
  ['Cascadai', null, ['Cascadia']],
  ['cascadia', ['Kenworth'], ['cascadia']],
  ['Kenworth T680', ['Kenworth'], ['T680']],
  ['t-680', null, ['T680']],
  ['T690', null, ['T690']],
  ['M2-106', null, ['M2 106']],
])('model=%s of %j means %j', (text, makes, expected) => {
  expect(matchModels(text, makes, NAMES)).toEqual(expected);
});

describe('a query as filters', () => {
  test.each<[string, QueryFilters, string[]]>([
    ['freightliner cascadia', { make: ['Freightliner'], model: ['Cascadia', 'Cascadia 126'] }, []],
    ['Cascadia 126 red', { model: ['Cascadia 126'] }, ['red']],
    ['freigtliner m2-106 2019', { make: ['Freightliner'], model: ['M2 106'], year: [2019] }, []],
    ['2019 WESTERN star 4900 white', { make: ['Western Star'], model: ['4900'], year: [2019] }, ['white']],
    ['389 peterbuilt', { make: ['Peterbilt'], model: ['389'] }, []],
    ['389', {}, ['389']],
    ['kw t680', { make: ['Kenworth'], model: ['T680'] }, []],
    ['casacdia', { model: ['Cascadia', 'Cascadia 126'] }, []],
    ['hino mack', { make: ['Hino'] }, ['mack']],
    ['hion', { make: ['Hino'] }, []],
    ['western', {}, ['western']],
    ['kenworth cascadia', { make: ['Kenworth'] }, ['cascadia']],
    ['casc 2019 2020', { year: [2019, 2020] }, ['casc']],
    ['used diesel dump', { fuel_type: ['diesel'], condition: ['used', 'unknown'], body_type: ['dump'] }, []],
    ['tx diesel 2015', { state: ['TX'], fuel_type: ['diesel'], year: [2015] }, []],
    ['new mexico natural gas', { state: ['NM'], fuel_type: ['natural_gas'] }, []],
    ['truck in kansas city', {}, ['kansas', 'city']],
    ['OK ok', { state: ['OK'] }, ['ok']],
    [
      'cascadia sleeper white',
      { model: ['Cascadia', 'Cascadia 126'], body_type: ['sleeper_tractor'] },
      ['white'],
    ],
    ['hino reefer', { make: ['Hino'], body_type: ['refrigerated_truck'] }, []],
    ['2019 day cab', { year: [2019], body_type: ['day_cab_tractor'] }, []],
    ['dump truck', { body_type: ['dump'] }, []],
    ['camión de volteo', { body_type: ['dump'] }, []],
    ['tracteur sans couchette', { body_type: ['day_cab_tractor'] }, []],
    ['camion a benne rouge', { body_type: ['dump'] }, ['rouge']],
    ['daycab', { body_type: ['day_cab_tractor'] }, []],
    ['day cab under $60k', { price_max: [60_000], body_type: ['day_cab_tractor'] }, []],
    ['class 8', { class: ['class_8'] }, []],
    ['class 7/8 automatic', { class: ['class_7', 'class_8'], transmission: ['automatic', 'automated'] }, []],
    ['trucks under $50,000', { price_max: [50_000] }, []],
    ['2018-2021 sleeper', { year_min: [2018], year_max: [2021], body_type: ['sleeper_tractor'] }, []],
    ['2018 or newer', { year_min: [2018] }, []],
    ['under 300k miles', { mileage_max: [300_000] }, []],
    ['between $40,000 and $60,000', { price_min: [40_000], price_max: [60_000] }, []],
    ['menos de 50 mil dólares', { price_max: [50_000], currency: ['USD'] }, []],
    ['4x4 crew cab', { drivetrain: ['4x4'], cab: ['Crew cab'] }, []],
    ['flatbed or dump', { body_type: ['flatbed', 'dump'] }, []],
    ['flatbed dump', { body_type: ['dump'] }, []],
    ['water truck', { body_type: ['tanker'] }, ['water']],
    ['semi', { body_type: ['tractor', 'sleeper_tractor', 'day_cab_tractor'] }, []],
    ['truck', {}, []],
    ['sleeper', { body_type: ['sleeper_tractor'] }, []],
  ])('%s', (query, filters, words) => {
    const read = readQuery(query, NAMES, {});
    expect({ filters: read.filters, words: read.words }).toEqual({ filters, words });
    expect(read.terms).toHaveLength(words.length);
  });

  test.each<[string, Record<string, unknown>, QueryFilters, string[]]>([
    ['freightliner cascadia', { make: ['Kenworth'] }, {}, ['freightliner', 'cascadia']],
    [
      'freightliner cascadia 2019',
      { model: ['T680'], year: [2020] },
      { make: ['Freightliner'] },
      ['cascadia', '2019'],
    ],
    ['hino', { make: ['Hino', 'Kenworth'] }, { make: ['Hino'] }, []],
    ['tx diesel', { state: ['OK'], fuel_type: ['electric'] }, {}, ['tx', 'diesel']],
  ])('%s: what is a filter already is not read again', (query, asked, filters, words) => {
    const read = readQuery(query, NAMES, asked);
    expect({ filters: read.filters, words: read.words }).toEqual({ filters, words });
  });

  test.each<[string, QueryFilters, string[]]>([
    ['reefer', { body_type: ['refrigerated_truck'] }, []],
    ['utility truck', { body_type: ['service_body'] }, []],
    ['water truck', { body_type: ['tanker'] }, ['water']],
    ['ford dump truck', { make: ['Ford'], body_type: ['dump'] }, []],
    ['p700', { model: ['P700'] }, []],
    ['3000r', { model: ['3000R'] }, []],
  ])('%s is no name, however an account names a truck or two', (query, filters, words) => {
    const junk = [
      { make: 'Utility', model: "Reefer trailer 53'" },
      { make: 'Utility', model: '3000R' },
      { make: 'Water Co', model: 'Water truck 4000' },
      { make: 'Ford', model: 'Dump truck' },
      { make: 'Grumman', model: 'P700' },
    ];
    const read = readQuery(query, [...NAMES, ...junk], {});
    expect({ filters: read.filters, words: read.words }).toEqual({ filters, words });
  });

  test.each<[string, QueryFilters]>([
    ["'19 kenworth", { make: ['Kenworth'], year: [2019] }],
    ["'15-'18 hino", { make: ['Hino'], year_min: [2015], year_max: [2018] }],
    ["hino '98", { make: ['Hino'], year: [1998] }],
    ['2019 up', { year_min: [2019] }],
    ['2019 up to 50k', { year: [2019], price_max: [50_000] }],
  ])('%s: years cut short and open ones are read', (query, filters) => {
    expect(readQuery(query, NAMES, {}).filters).toEqual(filters);
  });

  const LIGHT = ['class_3', 'class_4', 'class_5', 'class_6'];
  test.each<[string, QueryFilters, string[], string[]?]>([
    ['dump under 26000 gvwr', { class: LIGHT, body_type: ['dump'] }, []],
    ['box truck under 26,001 lbs', { class: LIGHT, body_type: ['box_truck'] }, []],
    ['gvwr over 33000', { class: ['class_8'] }, []],
    ['26k gvwr', { class: ['class_6'] }, []],
    ['19,501 to 26,000 libras', { class: ['class_6'] }, []],
    ['menos de 26000 libras bajo', { class: LIGHT }, ['bajo']],
    ['liftgate over 3000 lbs', {}, ['liftgate'], ['over 3000 lbs']],
    ['10000 lb crane', { body_type: ['crane', 'boom_truck'] }, ['10000', 'lb']],
    ['under 26000 lbs under 50000', { class: LIGHT, price_max: [50_000] }, []],
  ])('%s: pounds are no money', (query, filters, words, dropped) => {
    const read = readQuery(query, NAMES, {});
    expect([read.filters, read.words, read.dropped]).toEqual([filters, words, dropped]);
  });

  test.each<[string, QueryFilters, string[], string[]?]>([
    ['26 ft box truck', { body_type: ['box_truck'] }, ['26ft']],
    ["26' box", { body_type: ['box_truck'] }, ['26ft']],
    ['24-foot reefer', { body_type: ['refrigerated_truck'] }, ['24ft']],
    ['caja de 20 pies', { body_type: ['box_truck'] }, ['20ft']],
    ['13 spd', {}, ['13speed']],
    ['13spd kenworth', { make: ['Kenworth'] }, ['13speed']],
    ['ten speed hino', { make: ['Hino'] }, ['10speed']],
    ['18 velocidades', {}, ['18speed']],
    ['boîte 13 vitesses', {}, ['boîte', '13speed']],
    ['mid roof kenworth', { make: ['Kenworth'], body_type: ['sleeper_tractor'] }, ['mid']],
    ['tri-axle dump', { body_type: ['dump'] }, ['tri']],
    ['10 wheeler dump', { drivetrain: ['6x4'], body_type: ['dump'] }, []],
    ['ten-wheeler', { drivetrain: ['6x4'] }, []],
    ['is this truck still available', {}, []],
    ['no def', {}, [], ['no def']],
    ['dump w/o tarp', { body_type: ['dump'] }, [], ['without tarp']],
    ['dump, no rust', { body_type: ['dump'] }, [], ['no rust']],
  ])('%s: numbers and sentences are not looked for in loose text', (query, filters, words, dropped) => {
    const read = readQuery(query, NAMES, {});
    expect([read.filters, read.words, read.dropped]).toEqual([filters, words, dropped]);
  });

  test.each<[string, QueryFilters]>([
    ['under 50,000 usd', { price_max: [50_000], currency: ['USD'] }],
    ['under usd 50k', { price_max: [50_000], currency: ['USD'] }],
    ['50k to 60k US dollars', { price_min: [50_000], price_max: [60_000], currency: ['USD'] }],
    ['moins de 50 000 $ US', { price_max: [50_000], currency: ['USD'] }],
    ['under $50,000 cdn', { price_max: [50_000], currency: ['CAD'] }],
    ['under 50,000 dollars', { price_max: [50_000] }],
    ['under $50,000', { price_max: [50_000] }],
    ['US$50,000 or less', { price_max: [50_000], currency: ['USD'] }],
    ['under us $50k', { price_max: [50_000], currency: ['USD'] }],
    ['less than C$60k', { price_max: [60_000], currency: ['CAD'] }],
    ['max MX$900,000', { price_max: [900_000], currency: ['MXN'] }],
    ['under fifty thousand', { price_max: [50_000] }],
    ['menos de sesenta mil', { price_max: [60_000] }],
    ['$60,000 or less', { price_max: [60_000] }],
  ])('%s: a currency that is named is asked for', (query, filters) => {
    const read = readQuery(query, NAMES, {});
    expect([read.filters, read.words]).toEqual([filters, []]);
    expect(readQuery(query, NAMES, { currency: ['MXN'] }).filters.currency).toBe(undefined);
  });

  const NO_SLEEPER = { body_type: ['sleeper_tractor'], cab: ['Sleeper'] };
  test.each<[string, QueryFilters, QueryFilters]>([
    ['tractor without sleeper', { body_type: ['day_cab_tractor'] }, NO_SLEEPER],
    ['tractor with no sleeper', { body_type: ['day_cab_tractor'] }, NO_SLEEPER],
    ['tractor w/o sleepers', { body_type: ['day_cab_tractor'] }, NO_SLEEPER],
    ['tracto sin dormitorio', { body_type: ['day_cab_tractor'] }, NO_SLEEPER],
    ['not kenworth sleeper', { body_type: ['sleeper_tractor'] }, { make: ['Kenworth'] }],
    ['dump except kenworth or hino', { body_type: ['dump'] }, { make: ['Kenworth', 'Hino'] }],
    ['not kenworth hino', { make: ['Hino'] }, { make: ['Kenworth'] }],
    ['hino excluding box trucks', { make: ['Hino'] }, { body_type: ['box_truck'] }],
    ['kenworth not t680', { make: ['Kenworth'] }, { model: ['T680'] }],
    ['hino not box truck', { make: ['Hino'] }, { body_type: ['box_truck'] }],
    ['hino not in tx', { make: ['Hino'] }, { state: ['TX'] }],
    ['hino, no automatic', { make: ['Hino'] }, { transmission: ['automatic', 'automated'] }],
    ['hino not crew cab', { make: ['Hino'] }, { cab: ['Crew cab'] }],
  ])('%s: what is not wanted is left out', (query, filters, without) => {
    const read = readQuery(query, NAMES, {});
    expect([read.filters, read.without?.filters, read.words]).toEqual([filters, without, []]);
  });

  test('a beginning of very many models is looked for as a word', () => {
    const names = Array.from({ length: 60 }, (_, at) => ({ make: 'Ford', model: `Super ${at}` }));
    expect(readQuery('super', names, {})).toMatchObject({ filters: {}, words: ['super'] });
  });
});

describe('numbers that say what they count', () => {
  const LIGHT = ['class_3', 'class_4', 'class_5', 'class_6'];
  test.each<[string, QueryFilters, string[], string[]?]>([
    ['mileage under 400k', { mileage_max: [400_000] }, []],
    ['miles under 300k kenworth', { make: ['Kenworth'], mileage_max: [300_000] }, []],
    ['mileage less than 500,000', { mileage_max: [500_000] }, []],
    ['odometer max 450000', { mileage_max: [450_000] }, []],
    ['miles < 300000', { mileage_max: [300_000] }, []],
    ['mileage: under 400k', { mileage_max: [400_000] }, []],
    ['mileage 200k to 400k', { mileage_min: [200_000], mileage_max: [400_000] }, []],
    ['miles between 200,000 and 400,000', { mileage_min: [200_000], mileage_max: [400_000] }, []],
    ['under 400k mileage', { mileage_max: [400_000] }, []],
    ['less than 300k on it', { mileage_max: [300_000] }, []],
    ['300k miles max', { mileage_max: [300_000] }, []],
    ['kilometraje menos de 500 mil km', { mileage_max: [310_686] }, []],
    ['kilometrage moins de 500 000', { mileage_max: [310_686] }, []],
    ['millaje menos de 500 mil', { mileage_max: [500_000] }, []],
    ['under 600k miles under 95k', { mileage_max: [600_000], price_max: [95_000] }, []],
    ['under 60k, mileage under 400k', { price_max: [60_000], mileage_max: [400_000] }, []],
    ['miles from dallas under $60k', { price_max: [60_000] }, ['dallas']],
    ['40k rears', {}, [], ['40k rears']],
    ['hino 12k front axle under 60k', { make: ['Hino'], price_max: [60_000] }, [], ['12k front axle']],
    ['20k front 46k rear', {}, [], ['20k front', '46k rear']],
    ['46,000 lb rears', {}, [], ['46,000 lb rears']],
    ['46k rear loader', { price_max: [46_000], body_type: ['refuse'] }, ['rear']],
    ['cab chassis 84 ca', { body_type: ['cab_chassis'] }, [], ['84 ca']],
    ['flatbed 120" CA', { body_type: ['flatbed'] }, [], ['120" CA']],
    ['flatbed in CA', { state: ['CA'], body_type: ['flatbed'] }, []],
    ['389 CA', { state: ['CA'] }, ['389']],
    ['kenworth under $1000 a month', { make: ['Kenworth'] }, [], ['under $1000 a month']],
    ['hino $1,500/mo', { make: ['Hino'] }, [], ['$1,500/mo']],
    ['minimum 2020', { year_min: [2020] }, []],
    ['2020 minimum', { year_min: [2020] }, []],
    ['at least 2020', { year_min: [2020] }, []],
    ['2018 or better', { year_min: [2018] }, []],
    ['no older than 2018', { year_min: [2018] }, []],
    ['hino not older than 2019', { make: ['Hino'], year_min: [2019] }, []],
    ['nothing newer than 2015', { year_max: [2015] }, []],
    ['older than 2018', { year_max: [2017] }, []],
    ['over 2020 lbs', {}, [], ['over 2020 lbs']],
    ['cdl not required hino', { class: LIGHT, make: ['Hino'] }, []],
    ['no cdl needed', { class: LIGHT }, []],
    ['without a cdl', { class: LIGHT }, []],
    ["doesn't need a cdl", { class: LIGHT }, []],
    ['salvage hino', { make: ['Hino'] }, ['salvage']],
    ['rebuilt', {}, ['rebuilt']],
  ])('%s', (query, filters, words, dropped) => {
    const read = readQuery(query, NAMES, {});
    expect([read.filters, read.words, read.dropped]).toEqual([filters, words, dropped]);
  });
});
