import type { StageCode } from '../../lib/errors.ts';
import { asSystem, buildVin, type RawTruck, type Truck, truckAt, writeTrucks } from '../trucks/trucks.ts';

/** What becomes of a record: stored, stored with a warning, merged with the line before it, or rejected. */
export type ExpectedOutcome = 'stored' | 'warned' | 'repeated' | StageCode;

export interface DealerRow {
  record: RawTruck;
  outcome: ExpectedOutcome;
}

/** Vehicles that dealers take in trade; without a class and a weight nothing says that they are trucks. */
const TRADE_IN = { class: null, gvwr: null, price: 28_900 };
const oneTon = ({ year, stock }: Truck): RawTruck => ({
  ...TRADE_IN,
  make: 'Ford',
  model: 'F-350',
  body_type: 'Flatbed',
  vin: buildVin('1FDRF3HT', year, 'E', Number(stock.slice(1))),
});

/** The ways in which dealers' data goes wrong: what becomes of the record, and what it says instead. */
const FAULTS: readonly (readonly [ExpectedOutcome, (truck: Truck, currentYear: number) => RawTruck])[] = [
  ['VIN_LENGTH', ({ vin }) => ({ vin: vin.slice(0, -1) })],
  ['DUAL_USE_QUARANTINED', oneTon],
  ['PRICE_INVALID', () => ({ price: 0 })],
  ['BODY_TYPE_BLOCKED', () => ({ ...TRADE_IN, make: 'Honda', model: 'CR-V EX', body_type: 'SUV' })],
  ['warned', () => ({ mileage: 'TMU' })],
  ['VIN_MISSING', () => ({ vin: '  ' })],
  ['CLASS_BELOW_FLOOR', () => ({ ...TRADE_IN, class: '2b', body_type: 'Pickup' })],
  ['YEAR_OUT_OF_RANGE', (_, currentYear) => ({ year: currentYear + 20 })],
  ['repeated', () => ({ price: 45_900 })],
  ['MAKE_MISSING', () => ({ make: '' })],
  ['GVWR_BELOW_FLOOR', () => ({ ...TRADE_IN, gvwr: 8_500, body_type: 'Cargo Van' })],
  ['YEAR_MISSING', () => ({ year: null })],
  ['warned', () => ({ gvwr: 'see door sticker' })],
  ['stored', () => ({ price: 'Call for price' })],
];

/**
 * The file that a dealer group sends: trucks as people and systems write them, every tenth record wrong in one of the ways
 * dealers' data really is. The same in every run of a year.
 */
export function dealerRows(count: number, currentYear: number): DealerRow[] {
  const records = writeTrucks(count, currentYear);
  return records.map((record, at): DealerRow => {
    const [outcome, change] = (at % 10 === 9 && FAULTS[Math.floor(at / 10) % FAULTS.length]) || [];
    if (outcome === undefined || change === undefined) return { record, outcome: 'stored' };
    const truck = truckAt(at, currentYear);
    const origin = outcome === 'repeated' ? records[at - 1] : asSystem(truck);
    return { record: { ...origin, ...change(truck, currentYear) }, outcome };
  });
}
