import { invalid } from '../http/context.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { readState } from '../truck/place/states.ts';
import { entryFor, type KindName, type ListedName } from '../truck/record/record.ts';
import { findCurrency } from '../truck/text/currency.ts';
import { cleanLine, snakeCase } from '../truck/text/text.ts';
import { canonicalBody, findCab } from '../truck/vocabulary/body.ts';
import {
  canonicalFuel,
  findRearWheels,
  readCondition,
  readDrive,
  readTransmission,
} from '../truck/vocabulary/resolve.ts';
import { readWeightClass, toTruckClass } from '../truck/vocabulary/weight-class.ts';
import { UNKNOWN_CONDITION } from './words/listing-terms.ts';

/** Returns null for a text that is no value of the parameter. */
type ReadValue = (text: string) => string | number | null;

/** Where a parameter has canonical values, or is spelled in several ways. */
const READERS: Partial<Record<ListedName | KindName, ReadValue>> = {
  status: (text) => LISTING_STATUSES.find((status) => status === text.toLowerCase()) ?? null,
  year: (text) => (/^(?:19|20|21)\d{2}$/.test(text) ? Number(text) : null),
  class: (text) => toTruckClass(readWeightClass(text)),
  condition: (text) => (text.toLowerCase() === UNKNOWN_CONDITION ? UNKNOWN_CONDITION : readCondition(text)),
  state: readState,
  dealer: (text) => text.toLowerCase(),
  body_type: (text) => canonicalBody(cleanLine(text)) ?? snakeCase(text),
  fuel_type: (text) => canonicalFuel(cleanLine(text)),
  transmission: readTransmission,
  drivetrain: readDrive,
  cab: (text) => findCab(null, [text]),
  currency: findCurrency,
  rear_wheels: (text) => (/^(?:dual|single)$/i.test(text) ? text.toLowerCase() : findRearWheels([text])),
};

/** The canonical values of a parameter, each once. @throws INVALID_PARAMS naming it. */
export function readValues(name: ListedName | KindName, texts: readonly string[]) {
  const read = READERS[name] ?? cleanLine;
  const { values: listed, kinds } = entryFor(name).search ?? {};
  const values = texts.map((text) => {
    const value = read(text);
    if (value !== null) return value;
    throw invalid(name, `"${text}" is not known`, { fix: `${(listed ?? kinds)?.about}`, received: text });
  });
  return [...new Set(values)];
}
