import type { Attributes } from '../listing/truck.ts';
import { entryFor, type FieldName, type TruckFields } from '../record/record.ts';
import { HOUR_MS } from '../time.ts';
import { describeMileage, describePlace, describeWeight, formatNumber, toBodyName } from './card-words.ts';
import type { Locale } from './locale.ts';
import { type ComposedSpec, SPEC_LINES, translateValue } from './spec-words.ts';

/** The facts of a truck, as a visitor reads them. */

export interface Spec {
  /** Does not depend on the language. */
  id: string;
  name: string;
  value: string;
}

export interface SpecSource extends Partial<TruckFields> {
  vin: string;
  attributes?: Attributes;
  location?: { city?: string | null; state?: string | null } | null;
  first_seen_at?: string;
}

/** Attributes that visitors ask about. */
const AXLE_ATTRIBUTES =
  /^(?:(?:front|rear)[ _]axle(?:[ _](?:weight|capacity|rating|lbs?))?|axle[ _]ratio|rear[ _]ratio|suspension)$/i;

/** Lists a truck's facts in the visitor's language, in the order in which buyers ask. */
export function listSpecs(truck: SpecSource, locale: Locale, now: number): Spec[] {
  const composed: SpecValues = composeSpecs(truck, locale, now);
  return SPEC_LINES.flatMap(({ id, field, names }) => {
    const value = id in composed ? composed[id] : field && formatField(field, truck[field], locale);
    return value ? [{ id, name: names[locale], value }] : [];
  });
}

type SpecValues = Readonly<Record<string, string | null | undefined>>;

/** Composes lines that are not the value of one field. */
function composeSpecs(
  truck: SpecSource,
  locale: Locale,
  now: number,
): SpecValues & Record<ComposedSpec, unknown> {
  const format = (name: FieldName) => formatField(name, truck[name], locale);
  return {
    engine: join(truck.engine, format('horsepower')),
    axles: describeAxles(truck, locale),
    gvwr: describeWeight(truck.gvwr, truck.location, locale),
    class: truck.class?.replace(/\D/g, ''),
    body: join(
      truck.body_type && toBodyName(truck.body_type, locale),
      format('body_length'),
      truck.body_maker,
    ),
    mileage: describeMileage(truck.mileage, truck.location, locale),
    location: describePlace(truck.location),
    listed: describeAge(truck.first_seen_at, locale, now),
    vin: truck.vin,
  };
}

/** Fields whose values are translated; others are shown as the dealer wrote them. */
const TRANSLATED: ReadonlySet<FieldName> = new Set<FieldName>([
  'transmission',
  'cab',
  'fuel_type',
  'color',
  'condition',
]);

function formatField(name: FieldName, value: TruckFields[FieldName] | undefined, locale: Locale) {
  if (typeof value === 'number') return `${formatNumber(value, locale)} ${entryFor(name).unit ?? ''}`.trim();
  if (Array.isArray(value)) return value.join(', ');
  return TRANSLATED.has(name) ? translateValue(value, locale) : value;
}

const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ');

function describeAxles({ rear_wheels, attributes = {} }: SpecSource, locale: Locale): string {
  const wheels = rear_wheels === 'dual' ? translateValue('dual', locale) : null;
  const axleAttributes = Object.entries(attributes).flatMap(([name, value]) =>
    AXLE_ATTRIBUTES.test(name) && (typeof value === 'number' || (typeof value === 'string' && value !== ''))
      ? [`${name.replaceAll('_', ' ')} ${value}`.slice(0, 80).toWellFormed()]
      : [],
  );
  return join(wheels, ...axleAttributes.slice(0, 4));
}

/** Describes how long a truck has been listed, in hours up to a day, then in days. */
function describeAge(since: string | undefined, locale: Locale, now: number): string | null {
  if (since === undefined) return null;
  const hours = Math.floor((now - Date.parse(since)) / HOUR_MS);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: hours < 24 ? 'auto' : 'always' });
  return hours < 24 ? format.format(-hours, 'hour') : format.format(-Math.floor(hours / 24), 'day');
}
