import { toBodyName, toClassName } from './card-words.ts';
import type { Locale } from './locale.ts';

const MAX_VALUES = 20;

/** Formats the search's counts as filters for visitors: the most frequent first, years from the newest. */
export function toWidgetFacets(
  counts: readonly (readonly [facet: string, value: string, count: number])[],
  locale: Locale,
) {
  const list = (facet: string, toName = (value: string, _: Locale) => value) =>
    counts.flatMap(([name, value, count]) =>
      name === facet ? [{ value, name: toName(value, locale), count }] : [],
    );
  return {
    bodyType: list('body_type', toBodyName).slice(0, MAX_VALUES),
    make: list('make').slice(0, MAX_VALUES),
    class: list('class', toClassName).slice(0, MAX_VALUES),
    year: list('year')
      .sort((a, b) => Number(b.value) - Number(a.value))
      .slice(0, MAX_VALUES),
  };
}
