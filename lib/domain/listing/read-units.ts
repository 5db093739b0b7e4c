import { readZip } from '../place/place.ts';
import { CANADIAN_PROVINCES } from '../place/places.ts';
import { isMexican } from '../place/states.ts';
import { suitsCurrency } from '../price/price-envelope.ts';
import { asksToCall } from '../text/amounts.ts';
import { type Currency, currencyIn } from '../text/currency.ts';
import { MILES, readNumber, whole } from '../text/numbers.ts';
import { toText } from '../text/text.ts';
import type { Slot } from './record-names.ts';
import type { TruckPatch } from './truck.ts';
import { unreadable, type Warning, warn } from './warn.ts';

/** In which currency and unit a record's price and mileage are: as they say, as the record says, or by its place. */

/** The currency of Canada or Mexico, where odometers count kilometers, by a province or state of theirs; else null. */
export function foreignCurrency(state: string | null | undefined): Currency | null {
  if (state == null) return null;
  if (Object.hasOwn(CANADIAN_PROVINCES, state)) return 'CAD';
  return isMexican(state) ? 'MXN' : null;
}

/** Where a truck is that is not in the US, and what prices are in there. */
interface Abroad {
  place: string;
  currency: Currency;
}

/** Settles currency and unit of what was read; a price that is to be asked for is null. */
export function readUnits(
  values: ReadonlyMap<Slot, unknown>,
  patch: TruckPatch,
  { isOurs, warnings }: { isOurs: boolean; warnings: Warning[] },
): void {
  const place = isOurs ? null : placeAbroad(patch);
  readCurrency(toText(values.get('price')) ?? '', patch, place, warnings);
  if (isUnitUnreadable(values, patch)) {
    delete patch.fields.mileage;
    warnings.push(unreadable('mileage', values.get('mileage'), 'a number whose unit is mi or km'));
  }
  readMileageUnit(values.get('mileage'), patch, place, warnings);
}

/** Whether a unit was sent that nobody can read, for a number that says none itself: it may be anything. */
function isUnitUnreadable(values: ReadonlyMap<Slot, unknown>, { fields }: TruckPatch): boolean {
  if (fields.mileage == null || !values.has('mileage_unit') || fields.mileage_unit !== undefined)
    return false;
  return !saysUnit(values.get('mileage'));
}

const saysUnit = (mileage: unknown) => /mi|km|kil|mill/i.test(toText(mileage) ?? '');

/** As far as the record tells. */
function placeAbroad({ place }: TruckPatch): Abroad | null {
  const state = place?.state ?? null;
  const currency = foreignCurrency(state);
  if (state !== null && currency !== null) return { place: state, currency };
  return /^[A-Z]/.test(readZip(place?.zip) ?? '') ? { place: 'Canada', currency: 'CAD' } : null;
}

function readCurrency(
  sent: string,
  { fields }: TruckPatch,
  abroad: Abroad | null,
  warnings: Warning[],
): void {
  const named = currencyIn(sent);
  if (named !== null && (named !== 'USD' || fields.currency !== undefined)) fields.currency = named;
  if (fields.price == null || fields.currency != null || named !== null || abroad === null) return;
  fields.currency = abroad.currency;
  warnings.push(currencyAssumed(abroad.currency, abroad.place));
}

/** What only the place suggests is not taken where the price is possible in US dollars alone. */
export function correctAssumedCurrency(
  { patch, warnings }: { patch: TruckPatch; warnings: Warning[] },
  currentYear: number,
): void {
  const at = warnings.findIndex(({ code }) => code === 'CURRENCY_ASSUMED');
  const { price, currency, year = null } = patch.fields;
  if (at < 0 || price == null || currency == null || suitsCurrency(price, currency, year, currentYear))
    return;
  delete patch.fields.currency;
  warnings[at] = dollarsAssumed(currency);
}

export const dollarsAssumed = (other: string): Warning =>
  warn('CURRENCY_ASSUMED', { currency: 'USD', why: `no truck of its year costs as little in ${other}` });
export const currencyAssumed = (currency: string, place: string): Warning =>
  warn('CURRENCY_ASSUMED', { currency, why: `the truck is in ${place}` });

function readMileageUnit(
  raw: unknown,
  { fields }: TruckPatch,
  abroad: Abroad | null,
  warnings: Warning[],
): void {
  const { mileage, mileage_unit: unit = null } = fields;
  if (mileage == null) {
    // A unit alone says nothing, and what is stored is in miles.
    if (unit !== null) delete fields.mileage_unit;
    return;
  }
  const hasUnit = saysUnit(raw);
  const isAssumed = !hasUnit && unit === null && abroad !== null;
  if (!hasUnit && (unit === 'km' || isAssumed)) fields.mileage = toMiles(mileage);
  // A unit of before is not that of a new number: the dealer's place tells it then.
  fields.mileage_unit = unit !== null || abroad !== null || hasUnit ? 'mi' : null;
  if (isAssumed) warnings.push(warn('UNIT_ASSUMED', { unit: 'kilometers', state: abroad?.place ?? '' }));
}

export const toMiles = (kilometers: number): number => whole(readNumber(`${kilometers} km`, MILES) ?? 0);

/** `Call for price` and its like. */
export const isCallForPrice = (raw: unknown): boolean => typeof raw === 'string' && asksToCall(raw);
