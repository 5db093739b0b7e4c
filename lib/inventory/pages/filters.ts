import { html } from 'hono/html';
import { field, hidden, select } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { SORTS } from '../../search/schemas.ts';
import { labelFor } from '../../truck/record/record.ts';
import { toTable } from '../../truck/text/table.ts';
import { type Counted, INVENTORY, type InventoryQuery, type Searched } from './searched.ts';

const FIELDS = [
  { name: 'q', label: 'Search', type: 'search', maxLength: 200, placeholder: 'day cab under $60k' },
  { name: 'price_max', label: 'Highest price', type: 'number' },
  { name: 'mileage_max', label: 'Highest mileage', type: 'number' },
] as const;
const SORT_LABELS: Readonly<Record<string, string>> = toTable({
  newest: 'Last changed first',
  price: 'Lowest price',
  '-price': 'Highest price',
  year: 'Oldest',
  '-year': 'Newest model year',
  mileage: 'Fewest miles',
  '-mileage': 'Most miles',
  quality: 'Lowest quality',
  '-quality': 'Highest quality',
});
const PHOTOS = [
  { value: '', label: 'All' },
  { value: 'false', label: 'Without photos' },
  { value: 'true', label: 'With photos' },
];

/** Search and filters as plain parameters; filters that have no field here stay as they are. */
export function filterForm(filters: InventoryQuery): Html {
  const call = { sent: {}, problem: null };
  const shown = new Set<string>([...FIELDS.map(({ name }) => name), 'sort', 'has_images']);
  const kept = Object.entries(filters).flatMap(([name, value]) =>
    shown.has(name) || value === undefined ? [] : [[name, value] as const],
  );
  const sorts = SORTS.filter((sort) => SORT_LABELS[sort] !== undefined);
  return html`<form method="get" class="row">${hidden(Object.fromEntries(kept))}
${FIELDS.map((each) => field(call, { ...each, value: filters[each.name] ?? null }))}
${select(call, { name: 'has_images', label: 'Photos', value: filters.has_images ?? null, choices: PHOTOS })}
${select(call, {
  name: 'sort',
  label: 'Order',
  value: filters.sort ?? null,
  choices: sorts.map((value) => ({ value, label: SORT_LABELS[value] ?? value })),
})}<button class="plain">Find</button></form>`;
}

/** Most links of one facet; the bands of prices are few, and have an order. */
const MAX_VALUES = 6;

/** How many of the trucks have which value; each narrows the search. Where there are many, the newest are counted. */
export function facetLinks(
  facets: Searched['facets'],
  filters: InventoryQuery,
  { value: counted, exact }: Searched['count'],
): Html | string {
  const shown = Object.entries(facets).filter(([name, values]) => name !== 'status' && values.length > 1);
  if (shown.length === 0) return '';
  return html`<details><summary>Narrow down</summary><p class="hint">The first values of each${exact ? '' : ` among ${number(counted)} of them`}; search for others.</p><dl class="facts values">${shown.map(
    ([name, values]) =>
      html`<div><dt>${labelFor(name)}</dt><dd>${values
        .slice(0, name === 'price' ? undefined : MAX_VALUES)
        .map(
          (each) =>
            html`<span><a href="${INVENTORY}${toQuery({ ...filters, ...toFilter(name, each) })}">${toLabel(each)}</a> <small>${number(each.count)}</small></span> `,
        )}</dd></div>`,
  )}</dl></details>`;
}

const toWords = (name: string) => name.replaceAll('_', ' ');

function toFilter(name: string, { value, from, to }: Counted): InventoryQuery {
  if (value !== undefined) return { [name]: String(value) };
  // A band ends below its upper bound.
  return { price_min: from == null ? undefined : `${from}`, price_max: to == null ? undefined : `${to - 1}` };
}

function toLabel({ value, from, to }: Counted): string {
  if (value !== undefined) return toWords(String(value));
  if (from == null) return `under $${number(to ?? 0)}`;
  return to == null ? `from $${number(from)}` : `$${number(from)} to $${number(to)}`;
}
