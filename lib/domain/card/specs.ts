import type { TruckFields } from '../../contract/record/record.ts';
import type { Locale } from '../../contract/widget/locale.ts';
import type { Attributes, VinFacts } from '../listing/truck.ts';
import { describeMileage, describePlace, describeWeight, formatNumber, toBodyName } from './card-words.ts';
import { SPEC_WORDS, type SpecName, translateValue } from './spec-words.ts';

/** What decides about a truck, as a visitor reads it. */

export interface Spec {
  /** Does not depend on the language. */
  id: SpecName;
  name: string;
  value: string;
}

export interface SpecSource extends Partial<TruckFields> {
  vin: string;
  vin_facts?: Partial<VinFacts>;
  attributes?: Attributes;
  location?: { city?: string | null; state?: string | null } | null;
  first_seen_at?: string;
}

const DAY_MS = 86_400_000;
/** Fields of dealers' own that visitors ask about. */
const AXLE_ATTRIBUTES =
  /^(?:(?:front|rear)[ _]axle(?:[ _](?:weight|capacity|rating|lbs?))?|axle[ _]ratio|rear[ _]ratio|suspension)$/i;

/** The facts that are known, in the order in which buyers ask, in the visitor's language. */
export function listSpecs(truck: SpecSource, locale: Locale, now: number): Spec[] {
  const unit = (value: number | null | undefined, text: string) =>
    value == null ? null : `${formatNumber(value, locale)} ${text}`;
  const values: Readonly<Record<SpecName, string | null | undefined>> = {
    engine: join(', ', truck.engine, unit(truck.horsepower, 'hp')),
    transmission: translateValue(truck.transmission, locale),
    drivetrain: truck.drivetrain,
    axles: describeAxles(truck, locale),
    gvwr: describeWeight(truck.gvwr, truck.location, locale),
    class: truck.class?.replace(/\D/g, ''),
    cab: translateValue(truck.cab, locale),
    body: join(
      ', ',
      truck.body_type && toBodyName(truck.body_type, locale),
      unit(truck.body_length, 'ft'),
      truck.body_maker,
    ),
    body_description: truck.body_description,
    fuel: translateValue(truck.fuel_type, locale),
    mileage: describeMileage(truck.mileage, truck.location, locale),
    wheelbase: unit(truck.wheelbase, 'in'),
    cab_to_axle: unit(truck.cab_to_axle, 'in'),
    hydraulics: truck.hydraulics,
    color: translateValue(truck.color, locale),
    condition: translateValue(truck.condition, locale),
    features: truck.features?.join(', '),
    location: describePlace(truck.location),
    stock_number: truck.stock_number,
    listed: describeAge(truck.first_seen_at, locale, now),
    vin: truck.vin,
    confirmed: describeConfirmed(truck, locale),
  };
  return (Object.keys(SPEC_WORDS) as SpecName[]).flatMap((id) => {
    const value = values[id];
    return value ? [{ id, name: SPEC_WORDS[id][locale], value }] : [];
  });
}

const join = (separator: string, ...parts: (string | null | undefined | '')[]) =>
  parts.filter(Boolean).join(separator);

function describeAxles({ rear_wheels, attributes = {} }: SpecSource, locale: Locale): string {
  const wheels = rear_wheels === 'dual' ? translateValue('dual rear wheels', locale) : null;
  const own = Object.entries(attributes).flatMap(([name, value]) =>
    AXLE_ATTRIBUTES.test(name) && (typeof value === 'string' || typeof value === 'number')
      ? [`${name.replaceAll('_', ' ')} ${value}`.slice(0, 80)]
      : [],
  );
  return join(', ', wheels, ...own.slice(0, 4));
}

/** Since when the truck is listed, in days. */
function describeAge(since: string | undefined, locale: Locale, now: number): string | null {
  if (since === undefined) return null;
  const days = Math.max(0, Math.floor((now - Date.parse(since)) / DAY_MS));
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
}

/** What the listing says and the VIN says as well; nothing of a VIN whose check digit is wrong. */
function describeConfirmed(truck: SpecSource, locale: Locale): string | null {
  const { vin_facts: facts } = truck;
  if (facts?.check_digit !== 'valid') return null;
  const agrees = (name: 'make' | 'model' | 'fuel_type' | 'drivetrain' | 'engine') =>
    same(truck[name], facts[name]) ? truck[name] : null;
  return join(
    ', ',
    truck.year != null && truck.year === facts.year ? `${truck.year}` : null,
    agrees('make'),
    agrees('model'),
    truck.class && truck.class === facts.truck_class
      ? `${SPEC_WORDS.class[locale]} ${truck.class.replace(/\D/g, '')}`
      : null,
    agrees('engine'),
    agrees('drivetrain'),
    translateValue(agrees('fuel_type'), locale),
  );
}

const same = (one: string | null | undefined, other: string | null | undefined) =>
  typeof one === 'string' && one.toLowerCase() === other?.toLowerCase();
