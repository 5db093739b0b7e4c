import type { Kind, Look } from './drawing.ts';

/** Trucks with pictures, so that the demo's site and its widget have something to show. */

interface Exhibit extends Look {
  vin: string;
  record: Record<string, unknown>;
}

const DALLAS = { city: 'Dallas', state: 'TX', zip: '75236' };

function exhibit(
  kind: Kind,
  paint: string,
  light: Look['light'],
  record: { vin: string } & Record<string, unknown>,
): Exhibit {
  return { kind, paint, light, vin: record.vin, record: { condition: 'used', location: DALLAS, ...record } };
}

export const SHOWROOM: readonly Exhibit[] = [
  exhibit('sleeper', '#1f4f86', 2, {
    vin: '3AKJHHDR6LSLA0417',
    year: 2020,
    make: 'Freightliner',
    model: 'Cascadia 126',
    class: 'class_8',
    body_type: 'sleeper_tractor',
    price: 71_900,
    mileage: 388_410,
    engine: 'Detroit DD15',
    horsepower: 455,
    transmission: 'Detroit DT12 automated',
    color: 'Blue',
    stock_number: 'H1042',
    description: 'One owner, full service history. New steer tires and batteries this spring.',
  }),
  exhibit('sleeper', '#b3302a', 0, {
    vin: '1XKYDP9X4MJ118263',
    year: 2021,
    make: 'Kenworth',
    model: 'T680',
    class: 'class_8',
    body_type: 'sleeper_tractor',
    price: 94_500,
    mileage: 301_220,
    engine: 'PACCAR MX-13',
    horsepower: 455,
    transmission: 'Eaton UltraShift',
    color: 'Red',
    stock_number: 'H1057',
    description: '76 in sleeper with fridge and inverter. Idle time under 20 %.',
  }),
  exhibit('day-cab', '#f4f4f1', 1, {
    vin: '1XPBD49X7KD604412',
    year: 2019,
    make: 'Peterbilt',
    model: '579',
    class: 'class_8',
    body_type: 'day_cab_tractor',
    price: 58_750,
    mileage: 276_900,
    engine: 'PACCAR MX-11',
    horsepower: 400,
    transmission: '10-speed manual',
    color: 'White',
    stock_number: 'H1031',
    description: 'Regional day cab, wet kit ready.',
  }),
  exhibit('box', '#2d3135', 2, {
    vin: '1HTMMMML5JH528841',
    year: 2018,
    make: 'International',
    model: '4300',
    class: 'class_6',
    gvwr: 25_999,
    body_type: 'box_truck',
    price: 39_900,
    mileage: 148_300,
    engine: 'Cummins B6.7',
    horsepower: 240,
    transmission: 'Allison 2500 automatic',
    color: 'Gray',
    stock_number: 'H1019',
    description: '26 ft box with rail lift gate. No CDL needed.',
  }),
  exhibit('dump', '#e0a11b', 1, {
    vin: '1M2AX07C7HM032965',
    year: 2017,
    make: 'Mack',
    model: 'GU713',
    class: 'class_8',
    body_type: 'dump_truck',
    price: 88_000,
    mileage: 162_740,
    engine: 'Mack MP7',
    horsepower: 405,
    transmission: 'Mack mDRIVE',
    color: 'Yellow',
    stock_number: 'H0988',
    description: '15 ft steel body, high-lift gate, tarp.',
  }),
  exhibit('flatbed', '#2f6b4f', 2, {
    vin: '1FVACXDT2JHJS7310',
    year: 2018,
    make: 'Freightliner',
    model: 'M2 106',
    class: 'class_7',
    gvwr: 33_000,
    body_type: 'flatbed',
    price: 52_400,
    mileage: 119_860,
    engine: 'Cummins L9',
    horsepower: 300,
    transmission: 'Allison 3000 automatic',
    color: 'Green',
    stock_number: 'H1003',
    description: '24 ft wood deck, stake pockets, air brakes.',
  }),
];
