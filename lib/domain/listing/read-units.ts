import { readZip } from '../place/place.ts';
import { CANADIAN_PROVINCES } from '../place/places.ts';
import { asksToCall } from '../text/amounts.ts';
import { currencyIn } from '../text/currency.ts';
import { MILES, readNumber, whole } from '../text/numbers.ts';
import { toText } from '../text/text.ts';
import type { Slot } from './record-names.ts';
import type { TruckPatch } from './truck.ts';
import { type Warning, warn } from './warn.ts';

/** In which currency and unit a record's price and mileage are: as they say, as the record says, or by its place. */

/** True for a province of Canada, where prices are in CAD and odometers in kilometers. */
export const isCanadian = (state: string | null | undefined): boolean =>
  state != null && Object.hasOwn(CANADIAN_PROVINCES, state);

/** Settles currency and unit of what was read; a price that is to be asked for is null. */
export function readUnits(
  values: ReadonlyMap<Slot, unknown>,
  patch: TruckPatch,
  { isOurs, warnings }: { isOurs: boolean; warnings: Warning[] },
): void {
  const place = isOurs ? null : canadianPlace(patch);
  readCurrency(toText(values.get('price')) ?? '', patch, place, warnings);
  readMileageUnit(values.get('mileage'), patch, place, warnings);
}

/** The province of a Canadian truck, as far as the record tells. */
function canadianPlace({ place }: TruckPatch): string | null {
  if (isCanadian(place?.state)) return place?.state ?? null;
  return /^[A-Z]/.test(readZip(place?.zip) ?? '') ? 'Canada' : null;
}

function readCurrency(sent: string, { fields }: TruckPatch, place: string | null, warnings: Warning[]): void {
  const named = currencyIn(sent);
  if (named !== null && (named !== 'USD' || fields.currency !== undefined)) fields.currency = named;
  if (fields.price == null || fields.currency != null || named !== null || place === null) return;
  fields.currency = 'CAD';
  warnings.push(warn('CURRENCY_ASSUMED', { currency: 'CAD', state: place }));
}

function readMileageUnit(
  raw: unknown,
  { fields }: TruckPatch,
  place: string | null,
  warnings: Warning[],
): void {
  const { mileage, mileage_unit: unit = null } = fields;
  if (mileage == null) {
    // A unit alone says nothing, and what is stored is in miles.
    if (unit !== null) delete fields.mileage_unit;
    return;
  }
  const text = (toText(raw) ?? '').toLowerCase();
  const hasUnit = /mi|km|kil|mill/.test(text);
  const isAssumed = !hasUnit && unit === null && place !== null;
  if (!hasUnit && (unit === 'km' || isAssumed))
    fields.mileage = whole(readNumber(`${mileage} km`, MILES) ?? 0);
  if (unit !== null || place !== null || /k/.test(text.replace(/\dk\b/, ''))) fields.mileage_unit = 'mi';
  if (isAssumed) warnings.push(warn('UNIT_ASSUMED', { unit: 'kilometers', state: place ?? '' }));
}

/** `Call for price` and its like. */
export const isCallForPrice = (raw: unknown): boolean => typeof raw === 'string' && asksToCall(raw);
