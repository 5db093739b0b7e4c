import { CANADIAN_PROVINCES, MEXICAN_STATES } from '../place/places.ts';
import { FIELDS } from '../record/fields.ts';
import { groupDigits } from '../text/text.ts';
import { BODIES } from '../vocabulary/bodies.ts';
import type { Locale } from './locale.ts';

/** Words and numbers of cards in the visitor's language. */

const COLUMN = { en: 0, es: 1, fr: 2 } as const satisfies Record<Locale, number>;

/** `sleeper_tractor` → "Tractocamión con dormitorio". */
export function toBodyName(body: string, locale: Locale): string {
  return BODIES.get(body)?.names[COLUMN[locale]] ?? body.replaceAll('_', ' ');
}

/** `class_8` → "Classe 8". */
export const toClassName = (value: string, locale: Locale): string =>
  `${FIELDS.class.spec[locale]} ${value.replace(/\D/g, '')}`;

/** Avoids locales for most numbers: the first use of one takes 10 ms of a cold start. */
export const formatNumber = (value: number, locale: Locale): string =>
  Number.isInteger(value) && locale !== 'fr' ? groupDigits(value) : value.toLocaleString(`${locale}-US`);

const KM_PER_MILE = 1.609_344;
const KG_PER_LB = 0.453_592_37;

interface Situated {
  city?: string | null;
  state?: string | null;
}

const isMetric = (place: Situated | null | undefined) =>
  place?.state != null &&
  (Object.hasOwn(CANADIAN_PROVINCES, place.state) || Object.hasOwn(MEXICAN_STATES, place.state));

/** Formats a mileage in kilometers in Canada and Mexico, else in miles. */
export function describeMileage(
  miles: number | null | undefined,
  place: Situated | null | undefined,
  locale: Locale,
): string | null {
  if (miles == null) return null;
  return isMetric(place)
    ? `${formatNumber(toKilometers(miles), locale)} km`
    : `${formatNumber(miles, locale)} mi`;
}

/** Rounds to the nearest ten, because most were sent as a round number of kilometers. */
const toKilometers = (miles: number) => Math.round((miles * KM_PER_MILE) / 10) * 10;

/** Formats a weight in pounds, and also in kilograms in Canada and Mexico. */
export function describeWeight(
  pounds: number | null | undefined,
  place: Situated | null | undefined,
  locale: Locale,
): string | null {
  if (pounds == null) return null;
  const text = `${formatNumber(pounds, locale)} lb`;
  return isMetric(place) ? `${text} (${formatNumber(Math.round(pounds * KG_PER_LB), locale)} kg)` : text;
}

/** `San Antonio, TX`; states of Mexico are written out, because codes are not used there. */
export function describePlace(place: Situated | null | undefined): string | null {
  const { city = null, state = null } = place ?? {};
  const names: Readonly<Record<string, string>> = MEXICAN_STATES;
  const parts = [city, state !== null && Object.hasOwn(names, state) ? (names[state] ?? state) : state];
  return parts.filter((part) => part !== null).join(', ') || null;
}
