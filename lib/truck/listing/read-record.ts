import { LISTING_STATUSES } from '../fields.ts';
import { isObject } from '../is-object.ts';
import { readPlace } from '../place/read-place.ts';
import { type FieldName, isFieldName } from '../record/record.ts';
import { readAmount } from '../text/amounts.ts';
import { DOLLARS, POUNDS, type Units } from '../text/numbers.ts';
import { cleanLine, cut, quoteValue, toText } from '../text/text.ts';
import { MAX_IMAGES, readImages } from '../text/url.ts';
import { hasVinCharacters, hasVinLength, normaliseVin } from '../vin/vin.ts';
import { replaceLackingLetters } from '../vin/vin-candidates.ts';
import { canonicalBody, chooseBody, readBody } from '../vocabulary/body.ts';
import { isNoMake } from '../vocabulary/make.ts';
import { readStatusWord } from '../vocabulary/resolve.ts';
import { readWeightRange } from '../vocabulary/weight-class.ts';
import { readAttributes } from './attributes.ts';
import { warnOfDroppedAttributes } from './canonical-truck.ts';
import { listBodyTexts, readField } from './read-field.ts';
import { isCallForPrice, readUnits } from './read-units.ts';
import { type CollectedRecord, collectRecord, MAX_MEMBERS, type Slot } from './record-names.ts';
import type { TruckPatch } from './truck.ts';
import { type Warning, warn, warnUnreadable } from './warn.ts';

/** A record as read, before any rule judges it. */
export interface RecordReading {
  /** The values as received, by field; absent ones are not in it. */
  received: ReadonlyMap<Slot, unknown>;
  /** Normalised, of any length; null when absent, or one character repeated. */
  vin: string | null;
  /** Exact, before rounding; the minimum of a range within one class; null when absent or unreadable. */
  gvwr: number | null;
  /** Exact, before rounding; null when absent, null or unreadable. */
  price: number | null;
  /** Null when the record names no provider of its own. */
  sourceProviderId: string | null;
  patch: TruckPatch;
  warnings: Warning[];
}

const MAX_READINGS = 3;
const MAX_PROVIDER = 200;
const MAX_SLUG = 200;

/** Reads all accepted names of a JSON object; own members only. Never throws. */
export function readRecord(record: object): RecordReading {
  const collected = collectRecord(record);
  const { values } = collected;
  const warnings: Warning[] = [];
  const patch = readPatch(collected, warnings);
  for (const name of listDerivedFields(record)) delete patch.fields[name];
  readUnits(values, patch, warnings);
  const range = patch.fields.gvwr === undefined ? readWeightRange(values.get('gvwr')) : null;
  if (range !== null && patch.fields.class === undefined) patch.fields.class = `class_${range.class}`;
  const readExactly = (name: 'gvwr' | 'price', units: Units) =>
    patch.fields[name] == null ? null : (readAmount(values.get(name), units)?.value ?? null);
  const reading: RecordReading = {
    received: values,
    vin: readVin(values, warnings),
    gvwr: readExactly('gvwr', POUNDS) ?? range?.min ?? null,
    price: readExactly('price', DOLLARS),
    sourceProviderId: readProvider(values.get('source_provider_id'), warnings),
    patch,
    warnings,
  };
  if (values.has('read_only')) warnings.push(warn('READ_ONLY_IGNORED'));
  return reading;
}

/** Lists the fields that `derived` names in a listing that was read from the service and is posted back. */
function listDerivedFields(record: object): FieldName[] {
  const derived: unknown = Object.hasOwn(record, 'derived') ? Reflect.get(record, 'derived') : null;
  if (!Array.isArray(derived) || !Object.hasOwn(record, 'dedup_hash')) return [];
  return derived
    .slice(0, 100)
    .filter((name): name is FieldName => typeof name === 'string' && isFieldName(name));
}

/** The provider's id as text, trimmed; null when it is absent or no text. */
export function readProvider(raw: unknown, warnings: Warning[]): string | null {
  if (raw === undefined || raw === null) return null;
  const text = cleanLine(toText(raw) ?? '');
  if (text === '' && typeof raw === 'string') return null;
  if (text === '' || text.length > MAX_PROVIDER) {
    const expected = `text of at most ${MAX_PROVIDER} characters`;
    warnings.push(warnUnreadable('source_provider_id', raw, expected));
  }
  return cut(text, MAX_PROVIDER) || null;
}

function readVin(values: ReadonlyMap<Slot, unknown>, warnings: Warning[]): string | null {
  if (!values.has('vin')) return null;
  const raw = values.get('vin');
  const vin = normaliseVin((toText(raw) ?? '').slice(0, 1_000));
  if (isRepeated(vin)) return null;
  if (hasVinLength(vin) && !hasVinCharacters(vin)) warnings.push(warnOfCharacters(vin));
  return vin;
}

/** One character repeated is a placeholder, although the check digit of seventeen ones is right. */
const isRepeated = (vin: string) => /^(.)\1{16}$/.test(vin);

/** Warns of a VIN with O, Q or I, and suggests VINs with the characters that look like them. */
function warnOfCharacters(vin: string): Warning {
  const because = 'VINs have no O, Q or I: with what looks like them the check digit is right';
  const suggestions = replaceLackingLetters(vin)
    .slice(0, MAX_READINGS)
    .map((reading) => ({ vin: reading, because }));
  return { ...warn('VIN_CHARACTERS'), ...(suggestions.length > 0 ? { suggestions } : {}) };
}

function readPatch(collected: CollectedRecord, warnings: Warning[]): TruckPatch {
  const { values, nulls } = collected;
  const patch: TruckPatch = { fields: {} };
  for (const slot of nulls) if (isFieldName(slot)) patch.fields[slot] = null;
  for (const [slot, raw] of values) {
    if (slot === 'price' && isCallForPrice(raw)) patch.fields.price = null;
    else if (slot === 'make' && isNoMake(toText(raw) ?? 'no text')) continue;
    else if (isFieldName(slot)) readField(slot, raw, patch.fields, warnings);
    else if (slot === 'images') readImageList(raw, patch, warnings);
    else if (slot === 'status') readStatus(raw, patch, warnings);
    else if (slot === 'dealer') readDealer(raw, patch, warnings);
  }
  describeBody(values, patch);
  if (nulls.has('images')) patch.images = null;
  if (nulls.has('dealer')) patch.dealer = null;
  const place = readPlace(values, nulls, warnings);
  if (place !== undefined) patch.place = place;
  if (nulls.has('attributes')) patch.attributes = null;
  readUnknown(collected, patch, warnings);
  return patch;
}

/**
 * Reads the dealer's own words and the cab from the texts of the body. If these name no body, the description of the body or
 * the headline of the listing may name it.
 */
function describeBody(values: ReadonlyMap<Slot, unknown>, patch: TruckPatch): void {
  const { fields } = patch;
  const bodyTypeTexts = listBodyTexts(values.get('body_type'));
  // The description of a listing that was read from the service repeats its own body.
  const descriptions = values.has('read_only') ? [] : listBodyTexts(values.get('body_description'));
  const isNamed = bodyTypeTexts.length === 0 || bodyTypeTexts.some((text) => canonicalBody(text) !== null);
  // The headline of `Tank truck - 3000 gal, TC406` is `Tank truck`.
  const headline = isNamed ? [] : (toText(values.get('description')) ?? '').split(/[,.;:\n]| - /, 1);
  const texts = [...bodyTypeTexts, ...descriptions, ...listBodyTexts(headline)];
  const bestText = chooseBody(texts);
  if (bestText === null) return;
  if (!bodyTypeTexts.includes(bestText) && canonicalBody(bestText) !== null) fields.body_type = bestText;
  const cab = texts.map((text) => readBody(text).cab).find((bodyCab) => bodyCab !== null);
  if (cab !== undefined && fields.cab === undefined) fields.cab = cab;
  const dealerText = bodyTypeTexts.includes(bestText) ? bestText : bodyTypeTexts[0];
  if (dealerText !== undefined && readBody(dealerText).saysMore && fields.body_description === undefined)
    fields.body_description = dealerText;
}

function readImageList(raw: unknown, patch: TruckPatch, warnings: Warning[]): void {
  const { urls, dropped } = readImages(raw);
  if (urls === null) {
    warnings.push(warnUnreadable('images', raw, 'a list of http or https URLs'));
    return;
  }
  if (dropped > 0)
    warnings.push(
      warnUnreadable('images', raw, `one of at most ${MAX_IMAGES} http or https URLs`, `${dropped} images`),
    );
  // A list of unreadable URLs does not remove the images.
  if (urls.length > 0 || dropped === 0) patch.images = urls;
}

function readStatus(raw: unknown, patch: TruckPatch, warnings: Warning[]): void {
  const status = typeof raw === 'string' ? readStatusWord(raw) : null;
  if (status !== null) patch.status = status;
  else
    warnings.push(warn('STATUS_IGNORED', { received: quoteValue(raw), known: LISTING_STATUSES.join(', ') }));
}

function readDealer(raw: unknown, patch: TruckPatch, warnings: Warning[]): void {
  const slug = typeof raw === 'string' ? cleanLine(raw).toLowerCase() : '';
  if (slug === '' || slug.length > MAX_SLUG)
    warnings.push(warnUnreadable('dealer', raw, 'the slug of a dealer'));
  else patch.dealer = slug;
}

/** Reads members of no field as attributes, and the members of `attributes` as the service returns it. */
function readUnknown(
  { values, unknown, unread }: CollectedRecord,
  patch: TruckPatch,
  warnings: Warning[],
): void {
  const nested = values.get('attributes');
  if (nested !== undefined && !isObject(nested))
    warnings.push(warnUnreadable('attributes', nested, 'an object'));
  const inner = isObject(nested) ? Object.entries(nested) : [];
  const members = [...inner.slice(0, MAX_MEMBERS), ...unknown];
  if (members.length === 0) return;
  const reading = readAttributes(members);
  const { attributes } = reading;
  const dropped = [...reading.dropped, ...inner.slice(MAX_MEMBERS).map(([name]) => name), ...unread];
  if (Object.keys(attributes).length > 0) patch.attributes = attributes;
  if (dropped.length > 0) warnings.push(warnOfDroppedAttributes(dropped));
}
