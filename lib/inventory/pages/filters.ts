import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { field, hiddenFields } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import type { Html } from '../../http/pages/page.ts';
import type { SearchAnswer } from '../../search/schemas.ts';
import { describeFilters } from '../../truck/card/readings.ts';
import { labelFor } from '../../truck/record/record.ts';
import type { TruckSummary } from './truck-table.ts';

/** Parameters of the search, by name. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** The answer of the search. */
export type Searched = Pick<z.output<typeof SearchAnswer>, 'understood' | 'next_cursor'> & {
  listings: TruckSummary[];
  count: { value: number; exact: boolean };
};

export const INVENTORY = '/dashboard/inventory';

const QUERY = {
  name: 'q',
  label: 'Search',
  hint: 'Words, or numbers: a VIN, its last eight or six, or a stock number. Numbers find trucks of every status.',
  type: 'search',
  maxLength: 200,
  placeholder: 'day cab under $60k near Dallas, TX',
} as const;
const SORTS = {
  newest: 'Last changed first',
  price: 'Lowest price',
  '-price': 'Highest price',
  year: 'Oldest',
  '-year': 'Newest model year',
  mileage: 'Fewest miles',
  '-mileage': 'Most miles',
  quality: 'Lowest quality',
  '-quality': 'Highest quality',
};

/** The search and its order; filters that have no field here stay as they are. */
export function filterForm({ q, sort, ...others }: Filters): Html {
  const call = { formValues: {}, problem: null };
  const choices = Object.entries(SORTS);
  return html`<form method="get" class="row">${hiddenFields(others)}
${field(call, { ...QUERY, value: q ?? null })}${field(call, { name: 'sort', label: 'Order', value: sort ?? null, choices })}<button class="plain">Find</button></form>`;
}

/** Parameters that say how to show trucks, or that have a place of their own. */
const NO_CHIPS = new Set(['q', 'sort', 'status']);

/** Filters whose values say nothing without their names. */
const CHIPS: Filters = {
  'has_price=true': 'With a price',
  'has_price=false': 'No price',
  'has_images=true': 'With photos',
  'has_images=false': 'No photos',
};

/** What narrows the search, each with a link that takes it away, and how its words were read. */
export function chips(
  filters: Filters,
  { filters: read, words, without = [], dropped }: Searched['understood'],
) {
  const links = Object.entries(filters).flatMap(([name, value]) => {
    if (NO_CHIPS.has(name) || value === undefined) return [];
    const values = describeFilters({ [name]: value.split(',') }, 'en').join(', ');
    const label = CHIPS[`${name}=${value}`] ?? `${labelFor(name.replace(/_(min|max)$/, ''))}: ${values}`;
    return html`<li><a href="${INVENTORY}${toQuery({ ...filters, [name]: undefined })}"><span class="unseen">Take away </span>${label} <span aria-hidden="true">×</span></a></li>`;
  });
  const readings = [...describeFilters(read, 'en'), ...without, ...words.map((word) => `“${word}”`)];
  const reading = readings.join(', ');
  return html`${links.length > 0 && html`<ul class="chips" aria-label="Filters">${links}</ul>`}
${reading !== '' && html`<p class="hint">Your words are read as: ${reading}.</p>`}
${dropped && html`<p class="hint">No truck has all words: left out ${dropped.join(', ')}.</p>`}`;
}
