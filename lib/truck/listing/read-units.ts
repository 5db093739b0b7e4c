import { COUNTRY_NAMES } from '../place/countries.ts';
import { findCountry, findForeignCurrency } from '../place/country.ts';
import { suitsCurrency } from '../price/price-envelope.ts';
import type { TruckFields } from '../record/record.ts';
import { asksToCall } from '../text/amounts.ts';
import { type Currency, findCurrency } from '../text/currency.ts';
import { MILES, readNumber, roundToInteger } from '../text/numbers.ts';
import { toText } from '../text/text.ts';
import type { Slot } from './record-names.ts';
import type { DerivedName, Place, TruckPatch } from './truck.ts';
import { type Warning, warn, warnUnreadable } from './warn.ts';

/** Currency of a price and unit of a mileage: as the record says, or as is usual where the truck is. */

/** Reads currency and unit from the record. A price or mileage whose currency or unit is unreadable is left out. */
export function readUnits(
  values: ReadonlyMap<Slot, unknown>,
  { fields }: TruckPatch,
  warnings: Warning[],
): void {
  const currency = findCurrency(toText(values.get('price')) ?? '');
  if (currency !== null && fields.price != null) fields.currency = currency;
  if (fields.price != null && fields.currency === undefined && namesSome(values.get('currency'))) {
    delete fields.price;
    warnings.push(warnUnreadable('price', values.get('price'), 'a price in USD, CAD or MXN'));
  }
  const hasUnit = saysUnit(values.get('mileage'));
  if (fields.mileage != null && !hasUnit && fields.mileage_unit === undefined && values.has('mileage_unit')) {
    delete fields.mileage;
    warnings.push(warnUnreadable('mileage', values.get('mileage'), 'a number whose unit is mi or km'));
  }
  const { mileage, mileage_unit: unit } = fields;
  // A unit without a mileage is ignored: the stored mileage is in miles.
  if (mileage == null && unit != null) delete fields.mileage_unit;
  if (mileage == null) return;
  if (!hasUnit && unit === 'km') fields.mileage = toMiles(mileage);
  // The stored unit does not apply to a new number, whose unit the place decides.
  fields.mileage_unit = unit != null || hasUnit ? 'mi' : null;
}

const saysUnit = (mileage: unknown) => /mi|km|kil|mill/i.test(toText(mileage) ?? '');

/** True for `EUR` and `€`, but not for `$`, which all currencies of North America use. */
const namesSome = (currency: unknown) => /[^\s$\d.,-]/.test(toText(currency) ?? '');

const toMiles = (kilometers: number): number => roundToInteger(readNumber(`${kilometers} km`, MILES) ?? 0);

/** True for `Call for price` and similar texts. */
export const isCallForPrice = (raw: unknown): boolean => typeof raw === 'string' && asksToCall(raw);

type Region = Pick<Place, 'state' | 'zip' | 'country'>;

/** A place outside the US, and its currency. */
interface Abroad {
  place: string;
  currency: Currency;
}

/**
 * Fills in the currency and converts kilometers to miles, as is usual where the truck or its dealer is; with a warning. A
 * converted mileage is not derived: it stays in miles.
 */
export function settleUnits(
  fields: TruckFields,
  { location, dealerPlace, currentYear }: UnitFacts,
  derived: DerivedName[],
  warnings: Warning[],
): void {
  const abroad = findAbroad(location, dealerPlace);
  if (abroad === null) return;
  const { currency, place } = abroad;
  if (fields.price !== null && fields.currency === null) {
    if (suitsCurrency(fields, currency, currentYear)) {
      fields.currency = currency;
      derived.push('currency');
      warnings.push(warn('CURRENCY_ASSUMED', { currency, why: `the truck is in ${place}` }));
    } else {
      const why = `no truck like it costs as little in ${currency}`;
      warnings.push(warn('CURRENCY_ASSUMED', { currency: 'USD', why }));
    }
  }
  if (fields.mileage === null || fields.mileage_unit !== null) return;
  fields.mileage = toMiles(fields.mileage);
  fields.mileage_unit = 'mi';
  warnings.push(warn('UNIT_ASSUMED', { unit: 'kilometers', state: place }));
}

interface UnitFacts {
  location: Region | null;
  dealerPlace: Region | null;
  currentYear: number;
}

/** Returns the first place whose country is known, if it is outside the US. */
function findAbroad(...places: (Region | null)[]): Abroad | null {
  for (const place of places) {
    if (place === null) continue;
    const country = findCountry(place);
    if (country === null && place.state === null) continue;
    const currency = findForeignCurrency(place);
    return currency && { place: place.state ?? COUNTRY_NAMES[country ?? 'US'], currency };
  }
  return null;
}
