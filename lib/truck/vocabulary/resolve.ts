import type { ListingStatus } from '../fields.ts';
import { remember } from '../text/remember.ts';
import { foldKey, snakeCase } from '../text/text.ts';
import { plainText, toTokens } from '../text/tokens.ts';
import { type Phrases, toPhrases } from './phrases.ts';
import {
  DIESEL_ENGINES,
  DRIVES,
  ENGINE_CODES,
  FUELS,
  GAS_ENGINES,
  MANUAL_GEARS,
  REAR_WHEELS,
  TRANSMISSION_NAMES,
  TRANSMISSION_ORDER,
  TRANSMISSIONS,
} from './short-terms.ts';

/** Canonical values of short fields that dealers write in many ways. */

const FUEL_BY_KEY = new Map(
  Object.entries(FUELS).flatMap(([fuel, forms]) => [fuel, ...forms].map((form) => [foldKey(form), fuel])),
);

/** `diesel`, `gasoline`, …; an unknown fuel becomes snake_case. Idempotent. */
export function canonicalFuel(text: string): string {
  return FUEL_BY_KEY.get(foldKey(plainText(text))) ?? (snakeCase(text) || text);
}

/** Finds the fuel that a text of three or more letters names; else null. */
function findFuel(text: string): string | null {
  return text.length < 3 ? null : (FUEL_BY_KEY.get(foldKey(plainText(text))) ?? null);
}

const USED =
  /^(?:U$|USED|PREOWNED|PREVIOUSLYOWNED|SECONDHAND|CERTIFIED|CPO|DEMO|REFURB|REMAN|REBUILT|SALVAGE|ASIS|LIKENEW|USAD[OA]|SEMINUEV[OA]|USAGE|USAGEE|DOCCASION|OCCASION)/;
const NEW = /^(?:N$|NEW(?!ER)|BRANDNEW|NUEV[OA]|NEUF|NEUVE)/;

/** `new` or `used`; null when the text says neither. */
export function readCondition(text: string): 'new' | 'used' | null {
  const key = foldKey(plainText(text)).replace(/^HTTPS?SCHEMAORG/, '');
  if (USED.test(key)) return 'used';
  return NEW.test(key) ? 'new' : null;
}

/** `Sold!`, `SLD`, `Retail Sold`, `Sold 11/02`, `vendido`; but neither `sold as is` nor the French for a sale. */
const SOLD =
  /^(?:(?:RETAIL|WHOLESALE|FLEET|DEALER|UNIT|TRUCK)?SOLD(?!AS|E)|SLD|VENDID[OA]|VENDUE?|(?:DELIVERED|WHOLESALED|TRADED|ENTREGAD[OA]|LIVREE?)$)/;
const DELISTED =
  /^(?:DELISTED|UNLISTED|REMOVED|INACTIV[EOA]|DELETED|ARCHIVED|WITHDRAWN|OFFMARKET|NOTAVAILABLE|UNAVAILABLE|NOLONGERAVAILABLE|OUTOFSTOCK|JUNKED|SCRAPPED|ELIMINAD[OA]|BAJA|DADODEBAJA|NODISPONIBLE|AGOTAD[OA]|INACTIF|SUPPRIMEE?|(?:NON|IN)DISPONIBLE)$/;

/** Reads a status. Only these words sell or delist a truck, and only `available` itself lists it again. */
export function readStatusWord(text: string): ListingStatus | null {
  const key = foldKey(plainText(text));
  if (SOLD.test(key)) return 'sold';
  if (DELISTED.test(key)) return 'delisted';
  return key === 'AVAILABLE' ? 'available' : null;
}

/** Indexes canonical values by the words for them. */
function toValuePhrases(...tables: readonly Readonly<Record<string, readonly string[]>>[]): Phrases<string> {
  return toPhrases(() =>
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([value, words]) => words.map((word) => [word, value] as const)),
    ),
  );
}

const TRANSMISSION_PHRASES = toValuePhrases(TRANSMISSIONS, TRANSMISSION_NAMES);
const DRIVE_PHRASES = toValuePhrases(DRIVES);

/** Reads how a transmission shifts: `automatic`, `automated` (a manual gearbox that shifts itself) or `manual`. */
export const readTransmission = remember((text): string | null => {
  const kinds = new Set(TRANSMISSION_PHRASES.all(toTokens(text)).map(({ value }) => value));
  const kind = TRANSMISSION_ORDER.find((name) => kinds.has(name)) ?? null;
  return kind ?? (MANUAL_GEARS.test(text) ? 'manual' : null);
});

/** Reads wheels by driven wheels, `6x4`. */
export const readDrive = remember(
  (text): string | null => DRIVE_PHRASES.all(toTokens(text))[0]?.value ?? null,
);

const WHEEL_PHRASES = toValuePhrases(REAR_WHEELS);
const findWheels = remember((text): string | null => WHEEL_PHRASES.all(toTokens(text))[0]?.value ?? null);

/** Returns `dual` or `single` by the first text that says so. */
export const findRearWheels = (texts: readonly (string | null)[]): string | null =>
  texts.map((text) => findWheels(text ?? '')).find((wheels) => wheels !== null) ?? null;

/** Lists the makers whose engine codes a text contains. */
export function engineMakers(engine: string): string[] {
  const text = plainText(engine);
  return Object.entries(ENGINE_CODES).flatMap(([maker, code]) => (code.test(text) ? [maker] : []));
}

/** Reads the fuel from the text of an engine: by a word, or by a code whose engines all use one fuel. */
export const readEngineFuel = remember((engine): string | null => {
  const text = plainText(engine);
  if (GAS_ENGINES.test(text)) return 'natural_gas';
  const fuels = new Set(toTokens(engine).flatMap((token) => findFuel(token) ?? []));
  if (fuels.size > 0) return fuels.size === 1 ? ([...fuels][0] ?? null) : null;
  if (/octane/.test(text)) return null;
  return DIESEL_ENGINES.test(text) || engineMakers(engine).length > 0 ? 'diesel' : null;
});
