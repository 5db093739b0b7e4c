import { invalid } from '../http/context.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { readState } from '../truck/place/states.ts';
import { entryFor, type KindName, type ListedName } from '../truck/record/record.ts';
import { CURRENCIES, findCurrency } from '../truck/text/currency.ts';
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

interface ValueReader {
  /** Null when the text is none of what is expected. */
  read(text: string): string | number | null;
  expected: string;
}

/** Where a parameter has canonical values, or is spelled in several ways. */
const READERS: Partial<Record<ListedName | KindName, ValueReader>> = {
  status: {
    read: (text) => LISTING_STATUSES.find((status) => status === text.toLowerCase()) ?? null,
    expected: LISTING_STATUSES.join(', '),
  },
  year: {
    read: (text) => (/^(?:19|20|21)\d{2}$/.test(text) ? Number(text) : null),
    expected: 'model years of four digits',
  },
  class: { read: (text) => toTruckClass(readWeightClass(text)), expected: 'weight classes from 3 to 8' },
  condition: {
    read: (text) => (text.toLowerCase() === UNKNOWN_CONDITION ? UNKNOWN_CONDITION : readCondition(text)),
    expected: 'new, used, unknown',
  },
  state: { read: readState, expected: 'states of the US or Mexico, or Canadian provinces' },
  dealer: { read: (text) => text.toLowerCase(), expected: 'slugs' },
  body_type: { read: (text) => canonicalBody(cleanLine(text)) ?? snakeCase(text), expected: 'bodies' },
  fuel_type: { read: (text) => canonicalFuel(cleanLine(text)), expected: 'fuels' },
  transmission: { read: readTransmission, expected: 'automatic, automated, manual' },
  drivetrain: { read: readDrive, expected: 'wheels by driven wheels, as 6x4' },
  cab: { read: (text) => findCab(null, [text]), expected: 'day cab, sleeper, crew, extended, regular cab …' },
  currency: { read: findCurrency, expected: CURRENCIES.join(', ') },
  rear_wheels: {
    read: (text) => (/^(?:dual|single)$/i.test(text) ? text.toLowerCase() : findRearWheels([text])),
    expected: 'dual, single',
  },
};
const WHOLE: ValueReader = {
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
  expected: 'whole numbers',
};
const ANY_TEXT: ValueReader = { read: cleanLine, expected: 'texts' };

/** The canonical values of a parameter, each once. @throws INVALID_PARAMS naming it. */
export function readValues(name: ListedName | KindName, texts: readonly string[]) {
  const { read, expected } = READERS[name] ?? (entryFor(name).kind === 'integer' ? WHOLE : ANY_TEXT);
  const values = texts.map((text) => {
    const value = read(text);
    if (value === null) throw invalid(name, `"${text}" is none of: ${expected}`, { received: text });
    return value;
  });
  return [...new Set(values)];
}
