import { html } from 'hono/html';
import * as z from 'zod/mini';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { count, empty, number } from '../../dashboard/parts/text.ts';
import type { Context } from '../../http/context.ts';
import { parseWith } from '../../http/endpoint.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { CSV } from '../../http/safe-csv.ts';
import { SearchQuery } from '../../search/schemas.ts';
import { searchListings } from '../../search/search-listings.ts';
import { exportInventory } from '../export-inventory.ts';
import { EVERY_STATUS, findNumbered, numberList } from './by-number.ts';
import { chips, type Filters, filterForm, INVENTORY, type Searched } from './filters.ts';
import { markActions, markNotices } from './mark.ts';
import { truckTable } from './truck-table.ts';

/** What only programs ask for. */
const NOT_HERE = new Set(['fields', 'facets', 'limit', 'updated_since', 'near', 'radius']);
const Text = z.optional(z.string().check(z.maxLength(6_000)));
/** The parameters of GET /v1/inventory, as text until the search reads them. */
const Query = z.object({
  file: z.optional(z.literal('csv')),
  ...Object.fromEntries(
    Object.keys(SearchQuery.shape).flatMap((name) => (NOT_HERE.has(name) ? [] : [[name, Text]])),
  ),
});
const TABS = [
  [undefined, 'Available'],
  ['sold', 'Sold'],
  ['delisted', 'Delisted'],
  [EVERY_STATUS, 'All'],
] as const;

/** The account's trucks: found, narrowed, and marked in bulk. */
export default page({
  query: Query,
  notices: markNotices,
  async show({ ctx, query, session }) {
    const { cursor, file, ...filters } = query as Filters;
    if (file !== undefined)
      return {
        filename: 'inventory.csv',
        type: CSV,
        body: await exportInventory(ctx, parseWith(SearchQuery, filters, 'INVALID_PARAMS')),
      };
    const trucks = await listTrucks(ctx, query, !session.isOperator);
    return { title: 'Inventory', main: html`${tabs(filters)}${filterForm(filters)}${trucks}` };
  },
  actions: markActions,
});

async function listTrucks(ctx: Context, { cursor, ...filters }: Filters, mayChange: boolean) {
  const numbered = filters.status === EVERY_STATUS ? null : await findNumbered(ctx, filters.q ?? '');
  if (numbered?.isFound) return numberList(numbered, mayChange);
  const request = parseWith(SearchQuery, { cursor, ...filters }, 'INVALID_PARAMS');
  const results: Searched = JSON.parse(await searchListings(ctx, request));
  // A number that no truck has may be a word of trucks: `Volvo 2019`.
  return numbered && results.understood.dropped
    ? numberList(numbered, mayChange)
    : resultList(results, filters, mayChange);
}

function tabs(filters: Filters): Html {
  return html`<ul class="tabs">${TABS.map(
    ([status, label]) =>
      html`<li><a href="${INVENTORY}${toQuery({ ...filters, status })}"${status === filters.status && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul>`;
}

function resultList(results: Searched, filters: Filters, mayChange: boolean): Html {
  const narrowing = chips(filters, results.understood);
  if (results.listings.length === 0) return html`${narrowing}${nothing(filters)}`;
  const { value, exact } = results.count;
  return html`${narrowing}<p>${exact ? count(value, 'truck') : `${number(value)}+ trucks`} · <a href="${INVENTORY}${toQuery({ ...filters, file: 'csv' })}">Save as CSV</a></p>
${truckTable(results.listings, mayChange)}${nextPage(INVENTORY, filters, results.next_cursor)}`;
}

const nothing = (filters: Filters) =>
  toQuery(filters) === ''
    ? empty(
        'No trucks yet',
        html`Trucks appear here once you <a href="/dashboard/upload">upload a file</a>, <a href="/dashboard/feeds/new">add a feed</a> or post them by the API. What was rejected stands under <a href="/dashboard/issues">Issues</a>.`,
      )
    : empty(
        'No truck matches',
        html`Take away a filter, or <a href="${INVENTORY}">show all available trucks</a>.`,
      );
