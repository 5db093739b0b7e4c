import { toTable } from '../text/table.ts';
import { formatNumber, toBodyName, toClassName } from './card-words.ts';
import type { Locale } from './locale.ts';
import { translateValue } from './spec-words.ts';

/** Describes filters, such as those read from the words of a query, to people. */

type Describe = (value: string, locale: Locale) => string;

const number: Describe = (value, locale) => formatNumber(Number(value), locale);
const dollars: Describe = (value, locale) =>
  locale === 'fr' ? `${number(value, locale)} $` : `$${number(value, locale)}`;
const phrase =
  (en: string, es: string, fr: string): Describe =>
  (value, locale) =>
    ({ en, es, fr })[locale].replace('#', value);
const translated: Describe = (value, locale) => translateValue(value, locale) ?? value;

const DESCRIBED: Readonly<Record<string, Describe>> = toTable({
  body_type: toBodyName,
  class: toClassName,
  price_min: (value, locale) => `≥ ${dollars(value, locale)}`,
  price_max: (value, locale) => `≤ ${dollars(value, locale)}`,
  mileage_min: (value, locale) => `≥ ${number(value, locale)} mi`,
  mileage_max: (value, locale) => `≤ ${number(value, locale)} mi`,
  year_min: (value) => `≥ ${value}`,
  year_max: (value) => `≤ ${value}`,
  near: phrase('near #', 'cerca de #', 'près de #'),
  radius: phrase('within # miles', 'a menos de # millas', 'à moins de # miles'),
});

export function describeFilters(filters: object, locale: Locale): string[] {
  const readings = Object.entries(filters).flatMap(([name, values]) => {
    const describe = DESCRIBED[name] ?? translated;
    return Array.isArray(values) ? values.map((value) => describe(`${value}`, locale)) : [];
  });
  return [...new Set(readings)];
}
