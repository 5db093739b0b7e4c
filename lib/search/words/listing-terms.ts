import type { ListingDoc } from '../../truck/listing/truck.ts';
import type { KindName } from '../../truck/record/record.ts';
import { foldKey } from '../../truck/text/text.ts';
import { isHiddenAsNoTruck } from '../../truck/vin/not-a-truck.ts';
import { findCab } from '../../truck/vocabulary/body.ts';
import { engineMakers, findRearWheels, readDrive, readTransmission } from '../../truck/vocabulary/resolve.ts';
import { isCabover } from '../../truck/vocabulary/series.ts';
import type { Term } from './search-words.ts';
import { indexedWords, SERIAL_LENGTHS, toWords, unitWords } from './words.ts';

/**
 * What a listing is found by beside its words and columns: kinds that its free texts name, each as one word that no text
 * has. A query that names one asks for exactly this word.
 */
const MARKS: Readonly<Record<KindName, string>> = {
  transmission: 'zztransmission',
  drivetrain: 'zzdrive',
  cab: 'zzcab',
  rear_wheels: 'zzwheels',
  currency: 'zzcurrency',
};

/** Of a text that is read for units. */
const MAX_TEXT = 600;

const toWord = (kind: KindName, value: string | number) => MARKS[kind] + foldKey(`${value}`).toLowerCase();

/** A term of a query: any of the values. */
export const toKindTerm = (kind: KindName, values: readonly (string | number)[]): Term =>
  values.map((value) => [{ text: toWord(kind, value), prefix: false }]);

/** Used trucks are rarely said to be used: what buyers call used is all that is not known to be new. */
export const UNKNOWN_CONDITION = 'unknown';

/** Marks what its VIN says is no truck: searches for visitors pass it over. */
export const NOT_A_TRUCK = 'zznotatruck';

/** The marked words of a listing. */
export function listingTerms(doc: ListingDoc): string[] {
  const { make, model, engine, horsepower, transmission, drivetrain, cab } = doc;
  const { body_type: body, body_description: described } = doc;
  const terms: string[] = [];
  const add = (kind: KindName, value: string | null) => {
    if (value !== null) terms.push(toWord(kind, value));
  };
  if (transmission !== null) add('transmission', readTransmission(transmission));
  add('drivetrain', readDrive(drivetrain ?? ''));
  add('rear_wheels', doc.rear_wheels ?? findRearWheels([model, doc.trim, cab, described, doc.description]));
  add('currency', doc.price === null ? null : (doc.currency ?? 'USD'));
  add('cab', findCab(body, [cab, described]));
  if (make !== null && isCabover(make, model ?? '')) add('cab', 'Low cab forward');
  if (horsepower !== null) terms.push(`${horsepower}hp`);
  terms.push(...numbers(doc), ...units(doc), ...serials(doc.vin));
  if (isHiddenAsNoTruck(doc)) terms.push(NOT_A_TRUCK);
  if (engine !== null) terms.push(...engineMakers(engine).flatMap(indexedWords));
  return [...new Set(terms)];
}

const serials = (vin: string) => SERIAL_LENGTHS.map((length) => vin.slice(-length).toLowerCase());

/** Gears, and lengths of the body, in their fields and in the texts that tell of them. */
const units = ({ body_length: feet, transmission, body_description, description }: ListingDoc): string[] => [
  ...(feet === null ? [] : [`${feet}ft`]),
  ...[transmission, body_description, description].flatMap((text) =>
    unitWords((text ?? '').slice(0, MAX_TEXT)),
  ),
];

/** The number of a model without the letters behind it: `5500` of a 5500HD, `379` of a 379EXHD. */
const numbers = ({ model }: ListingDoc) =>
  toWords(model ?? '').flatMap((word) => /^(\d{3,4})[a-z]{1,4}$/.exec(word)?.[1] ?? []);
