import { html } from 'hono/html';
import { toQuery } from '../../dashboard/parts/links.ts';
import type { Html } from '../../http/pages/page.ts';
import { SearchQuery } from '../../search/schemas.ts';
import { isFieldName, labelFor } from '../../truck/record/record.ts';
import { showField } from './fact-table.ts';
import { INVENTORY, type InventoryQuery, type Understood } from './searched.ts';

/** Parameters that say how to show trucks, not which. */
const NO_FILTERS = new Set(['q', 'sort', 'status']);
const isParameter = (name: string) => Object.hasOwn(SearchQuery.shape, name);

/** What narrows the search, asked for or read out of its words: each is a link that takes it away. */
export function chips(filters: InventoryQuery, understood: Understood): Html | string {
  const asked = Object.entries(filters).flatMap(([name, value]) =>
    NO_FILTERS.has(name) || value === undefined ? [] : [chip(name, value, { ...filters, [name]: undefined })],
  );
  const read = Object.entries(understood.filters).map(([name, values]) =>
    chip(name, values.join(', '), withoutReading(filters, understood, name)),
  );
  const words = [...understood.words, ...(understood.without ?? [])].map((word) =>
    chip('word', word, withoutReading(filters, understood, null, word)),
  );
  const dropped = understood.dropped ?? [];
  const all = [...asked, ...read, ...words];
  return html`${all.length === 0 ? '' : html`<ul class="chips" aria-label="Filters">${all}</ul>`}
${dropped.length === 0 ? '' : html`<p class="hint">No truck has all words: left out ${dropped.join(', ')}.</p>`}`;
}

function chip(name: string, value: string, rest: InventoryQuery): Html {
  const label = describeBound(name, value) ?? `${labelFor(name)}: ${value.replaceAll('_', ' ')}`;
  return html`<li><a href="${INVENTORY}${toQuery(rest)}"><span class="unseen">Take away </span>${label} <span aria-hidden="true">×</span></a></li>`;
}

/** “Price up to $60,000”; null: the parameter is no bound. */
function describeBound(name: string, value: string): string | null {
  const word = name.endsWith('_min') ? 'from' : name.endsWith('_max') ? 'up to' : null;
  const field = name.slice(0, -'_min'.length);
  if (word === null || !isFieldName(field)) return null;
  return `${labelFor(field)} ${word} ${showField(field, Number(value))}`;
}

/** The same search without one reading or word: other readings become parameters, what has none stays among the words. */
function withoutReading(
  { q: _, ...filters }: InventoryQuery,
  understood: Understood,
  name: string | null,
  word?: string,
): InventoryQuery {
  const others = Object.entries(understood.filters).filter(([other]) => other !== name);
  const parameters = others.filter(([other]) => isParameter(other));
  const spoken = others.flatMap(([other, values]) => (isParameter(other) ? [] : values.map(String)));
  const texts = [...understood.words, ...spoken, ...(understood.without ?? [])];
  const q = texts.filter((other) => other !== word).join(' ');
  return {
    ...filters,
    ...Object.fromEntries(parameters.map(([other, values]) => [other, values.join(',')])),
    ...(q === '' ? { sort: filters.sort === 'relevance' ? undefined : filters.sort } : { q }),
  };
}
