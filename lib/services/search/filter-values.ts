import { LISTING_STATUSES } from '../../contract/fields.ts';
import type { Kind } from '../../contract/record/entry.ts';
import type { KindName, ListedName } from '../../contract/record/record.ts';
import { readState } from '../../domain/place/states.ts';
import { UNKNOWN_CONDITION } from '../../domain/search/listing-terms.ts';
import { CURRENCIES, currencyIn } from '../../domain/text/currency.ts';
import { cleanLine, snakeCase } from '../../domain/text/text.ts';
import { canonicalBody, namedCab } from '../../domain/vocabulary/body.ts';
import {
  canonicalFuel,
  driveKind,
  namedWheels,
  readCondition,
  transmissionKind,
} from '../../domain/vocabulary/resolve.ts';
import { readWeightClass, truckClass } from '../../domain/vocabulary/weight-class.ts';

/** How the values of a search's parameters are read. */

export interface ValueReader {
  read(text: string): string | number | null;
  expected: string;
}

/** How values are read where a field has canonical ones. */
export const VALUE_READERS: Partial<Record<ListedName, ValueReader>> = {
  status: { read: readStatus, expected: LISTING_STATUSES.join(', ') },
  year: { read: readYear, expected: 'model years of four digits' },
  class: { read: (text) => truckClass(readWeightClass(text)), expected: 'weight classes from 3 to 8' },
  condition: { read: readAskedCondition, expected: 'new, used, unknown' },
  state: { read: readState, expected: 'states of the US or Mexico, or Canadian provinces' },
  dealer: { read: (text) => text.toLowerCase(), expected: 'slugs' },
  body_type: { read: (text) => canonicalBody(cleanLine(text)) ?? snakeCase(text), expected: 'bodies' },
  fuel_type: { read: (text) => canonicalFuel(cleanLine(text)), expected: 'fuels' },
};
export const BY_KIND: Partial<Record<Kind, ValueReader>> = {
  integer: { read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null), expected: 'whole numbers' },
};
export const ANY_TEXT: ValueReader = { read: cleanLine, expected: 'texts' };

export const KIND_READERS: Readonly<Record<KindName, ValueReader>> = {
  transmission: { read: transmissionKind, expected: 'automatic, automated, manual' },
  drivetrain: { read: driveKind, expected: 'wheels by driven wheels, as 6x4' },
  cab: {
    read: (text) => namedCab(null, [text]),
    expected: 'day cab, sleeper, crew, extended, regular cab …',
  },
  currency: { read: currencyIn, expected: CURRENCIES.join(', ') },
  rear_wheels: { read: readAskedWheels, expected: 'dual, single' },
};

function readAskedWheels(text: string): string | null {
  return /^(?:dual|single)$/i.test(text) ? text.toLowerCase() : namedWheels([text]);
}

function readStatus(text: string): string | null {
  return LISTING_STATUSES.find((status) => status === text.toLowerCase()) ?? null;
}

function readAskedCondition(text: string): string | null {
  return text.toLowerCase() === UNKNOWN_CONDITION ? UNKNOWN_CONDITION : readCondition(text);
}

function readYear(text: string): number | null {
  return /^(?:19|20|21)\d{2}$/.test(text) ? Number(text) : null;
}
