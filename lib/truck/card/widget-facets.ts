import type { WIDGET_FACETS } from '../../search/widget/schemas.ts';
import { FIELDS } from '../record/fields.ts';
import { toTable } from '../text/table.ts';
import { toBodyName } from './card-words.ts';
import type { Locale } from './locale.ts';

type WidgetFacet = (typeof WIDGET_FACETS)[number];

const MAX_VALUES = 20;
const SOURCES: Readonly<Record<string, WidgetFacet>> = toTable({
  body_type: 'bodyType',
  make: 'make',
  class: 'class',
  year: 'year',
});

/** The search's counts as visitors narrow by them: the most frequent first, years from the newest. */
export function toWidgetFacets(
  counts: readonly (readonly [facet: string, value: string, count: number])[],
  locale: Locale,
) {
  const facets: Record<WidgetFacet, { value: string; name: string; count: number }[]> = {
    bodyType: [],
    make: [],
    class: [],
    year: [],
  };
  for (const [facet, value, count] of counts) {
    const name = SOURCES[facet];
    if (name) facets[name].push({ value, name: toName(name, value, locale), count });
  }
  facets.year.sort((a, b) => Number(b.value) - Number(a.value));
  for (const values of Object.values(facets)) values.splice(MAX_VALUES);
  return facets;
}

function toName(facet: WidgetFacet, value: string, locale: Locale): string {
  if (facet === 'bodyType') return toBodyName(value, locale);
  return facet === 'class' ? `${FIELDS.class.spec[locale]} ${value.replace(/\D/g, '')}` : value;
}
