import { FIELDS } from '../../../lib/contract/record/fields.ts';
import { PARTS } from '../../../lib/contract/record/parts.ts';
import type { FieldName } from '../../../lib/contract/record/record.ts';
import type { StageCode } from '../../../lib/errors.ts';
import type { LotTruck } from './lot-truck.ts';
import type { Dice } from './random.ts';
import type { RawTruck } from './spelling.ts';
import { tradeIn } from './trade-ins.ts';

/** What should become of a record: stored quietly, stored with a warning, merged with the one it repeats, refused. */
export type ExpectedOutcome = 'stored' | 'warned' | 'repeated' | StageCode;

export interface FaultContext {
  truck: LotTruck;
  dice: Dice;
  currentYear: number;
}

/** One way dealers' data goes wrong: another vehicle stands there, or the record of a good truck is spoiled. */
export interface Fault {
  outcome: ExpectedOutcome;
  vehicle?: (truck: LotTruck, dice: Dice) => LotTruck;
  spoil?: (record: RawTruck, context: FaultContext) => void;
}

const REPEATED: Fault = { outcome: 'repeated' };

/** In the order they are dealt; what is frequent in life stands here more than once. */
export const FAULTS: readonly Fault[] = [
  { outcome: 'VIN_LENGTH', spoil: (record, { truck, dice }) => setVin(record, withoutOne(truck.vin, dice)) },
  { outcome: 'DUAL_USE_QUARANTINED', vehicle: tradeIn('oneTon') },
  { outcome: 'PRICE_INVALID', spoil: (record) => set(record, 'price', 0) },
  REPEATED,
  { outcome: 'BODY_TYPE_BLOCKED', vehicle: tradeIn('suv') },
  { outcome: 'warned', spoil: (record) => set(record, 'mileage', 'TMU') },
  { outcome: 'VIN_MISSING', spoil: (record) => drop(record, PARTS.vin.names) },
  { outcome: 'CLASS_BELOW_FLOOR', vehicle: tradeIn('halfTon') },
  {
    outcome: 'YEAR_OUT_OF_RANGE',
    spoil: (record, { truck }) => set(record, 'year', String(truck.year).slice(2)),
  },
  { outcome: 'warned', spoil: unknownLot },
  { outcome: 'MAKE_MISSING', spoil: (record) => drop(record, FIELDS.make.names) },
  { outcome: 'GVWR_BELOW_FLOOR', vehicle: tradeIn('van') },
  { outcome: 'PRICE_INVALID', spoil: (record) => set(record, 'price', '$499') },
  REPEATED,
  { outcome: 'YEAR_MISSING', spoil: (record) => drop(record, FIELDS.year.names) },
  { outcome: 'warned', spoil: mistypedVin },
  { outcome: 'VIN_LENGTH', spoil: (record, { truck }) => setVin(record, truck.vin.slice(9)) },
  { outcome: 'BODY_TYPE_BLOCKED', vehicle: tradeIn('sedan') },
  { outcome: 'DUAL_USE_QUARANTINED', vehicle: tradeIn('oneTon') },
  { outcome: 'PRICE_INVALID', spoil: (record) => set(record, 'price', 99_999_999) },
  { outcome: 'stored', spoil: (record) => set(record, 'price', 'Call for price') },
  {
    outcome: 'VIN_LENGTH',
    spoil: (record, { truck }) => setVin(record, `${truck.vin}${truck.vin.slice(-1)}`),
  },
  { outcome: 'YEAR_OUT_OF_RANGE', spoil: (record, { currentYear }) => set(record, 'year', currentYear + 20) },
  REPEATED,
  {
    outcome: 'CLASS_BELOW_FLOOR',
    vehicle: tradeIn('threeQuarterTon'),
    spoil: (record) => set(record, 'class', '2b'),
  },
  { outcome: 'VIN_MISSING', spoil: (record) => setVin(record, '  ') },
  {
    outcome: 'warned',
    spoil: (record, { truck }) => set(record, 'class', truck.class === 8 ? '7' : 'Class 8'),
  },
  { outcome: 'MAKE_MISSING', spoil: (record) => set(record, 'make', '') },
  { outcome: 'warned', spoil: misspeltMake },
  { outcome: 'PRICE_INVALID', spoil: (record) => set(record, 'price', '1') },
  { outcome: 'GVWR_BELOW_FLOOR', vehicle: tradeIn('van') },
  { outcome: 'YEAR_MISSING', spoil: (record) => set(record, 'year', null) },
  { outcome: 'warned', spoil: (record) => set(record, 'gvwr', 'see door sticker') },
  { outcome: 'YEAR_OUT_OF_RANGE', spoil: (record) => set(record, 'year', 1978) },
  { outcome: 'warned', spoil: titledYear },
];

/** Writes under the name the record already uses for the field, or under the canonical one. */
function set(record: RawTruck, field: FieldName, value: unknown): void {
  const names: readonly string[] = FIELDS[field].names;
  record[names.find((name) => name in record) ?? field] = value;
}

function setVin(record: RawTruck, value: string): void {
  record[PARTS.vin.names.find((name) => name in record) ?? 'vin'] = value;
}

function drop(record: RawTruck, names: readonly string[]): void {
  for (const name of names) delete record[name];
}

function withoutOne(vin: string, dice: Dice): string {
  const at = dice.int(9, 15);
  return vin.slice(0, at) + vin.slice(at + 1);
}

/** One digit of the serial number mistyped: the check digit tells. Japanese plants are not held to theirs. */
function mistypedVin(record: RawTruck, { truck: { vin }, dice }: FaultContext): void {
  const at = dice.int(13, 16);
  const wrong = String((Number(vin.charAt(at)) + dice.int(1, 8)) % 10);
  if (vin.startsWith('J')) set(record, 'mileage', 'exempt');
  else setVin(record, vin.slice(0, at) + wrong + vin.slice(at + 1));
}

/** The truck stands at a sister lot that nobody registered. */
function unknownLot(record: RawTruck): void {
  record.dealer = 'heartland-south-lot';
}

/** 'Frieghtliner'; short names stay as they are, and the odometer is 'exempt' instead. */
function misspeltMake(record: RawTruck, { truck }: FaultContext): void {
  const [first, second] = truck.make.slice(2, 4);
  if (truck.make.length < 7) set(record, 'mileage', 'exempt');
  else set(record, 'make', `${truck.make.slice(0, 2)}${second}${first}${truck.make.slice(4)}`);
}

/** The year of the title instead of the model year that the VIN tells. */
function titledYear(record: RawTruck, { truck, currentYear }: FaultContext): void {
  set(record, 'year', truck.year < currentYear ? truck.year + 1 : truck.year - 1);
}
