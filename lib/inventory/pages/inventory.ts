import { html } from 'hono/html';
import * as z from 'zod/mini';
import { audited } from '../../accounts/audited.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { count, empty, number } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import type { Context } from '../../http/context.ts';
import { parseWith } from '../../http/endpoint.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { CSV } from '../../http/safe-csv.ts';
import { SearchQuery } from '../../search/schemas.ts';
import { searchListings } from '../../search/search-listings.ts';
import type { ListingStatus } from '../../truck/fields.ts';
import { changeStatuses } from '../change-status.ts';
import { exportInventory } from '../export-inventory.ts';
import { chips, type Filters, facetLinks, filterForm, INVENTORY, type Searched } from './filters.ts';
import { truckTable } from './truck-table.ts';

/** What only programs ask for. */
const NOT_HERE = new Set(['fields', 'facets', 'limit', 'updated_since']);
const Text = z.optional(z.string().check(z.maxLength(6_000)));
/** The parameters of GET /v1/inventory, as text until the search reads them. */
const Query = z.object({
  file: z.optional(z.literal('csv')),
  ...Object.fromEntries(
    Object.keys(SearchQuery.shape).flatMap((name) => (NOT_HERE.has(name) ? [] : [[name, Text]])),
  ),
});
const Selected = z.object({
  vin: z._default(z.array(z.string().check(z.length(17))).check(z.maxLength(100)), []),
});
const TABS = [
  [undefined, 'Available'],
  ['sold', 'Sold'],
  ['delisted', 'Delisted'],
  ['available,sold,delisted', 'All'],
] as const;

/** The account's trucks: found, narrowed, and marked in bulk. */
export default page({
  query: Query,
  notices: {
    sold: 'The selected trucks are marked sold. To undo it, select them under Sold and mark them available.',
    delisted:
      'The selected trucks are delisted. To undo it, select them under Delisted and mark them available.',
    available: 'The selected trucks are available again.',
  },
  async show({ ctx, query, session }) {
    const { cursor: _, file, ...filters } = query as Filters;
    if (file !== undefined)
      return {
        filename: 'inventory.csv',
        type: CSV,
        body: await exportInventory(ctx, parseWith(SearchQuery, filters, 'INVALID_PARAMS')),
      };
    const found = await search(ctx, query);
    return {
      title: 'Inventory',
      main: html`${tabs(filters)}${filterForm(filters)}${chips(filters, found.understood)}
${found.listings.length === 0 ? nothing(filters) : results(found, filters, !session.isOperator)}`,
    };
  },
  actions: { sold: markAs('sold'), delisted: markAs('delisted'), available: markAs('available') },
});

async function search(ctx: Context, query: Filters): Promise<Searched> {
  return JSON.parse(await searchListings(ctx, parseWith(SearchQuery, query, 'INVALID_PARAMS')));
}

function markAs(status: ListingStatus) {
  type Call = PageCall<undefined, Filters> & { form: z.output<typeof Selected> };
  return {
    form: Selected,
    async run({ ctx, query, form }: Call) {
      if (form.vin.length === 0) throw new ApiError('INVALID_PAYLOAD', 'Select one truck or more first.');
      const vins = [...new Set(form.vin)];
      const act = { action: `listing.${status}`, target: count(vins.length, 'truck'), detail: { vins } };
      await audited(ctx, act, async (own) => {
        const changes = vins.map((vin) => ({ vin, status, sourceProviderId: null }));
        const results = await changeStatuses(own, changes);
        // Thrown inside the transaction: what is only partly there is not changed in part.
        const refused = results.find(({ refusal }) => refusal !== undefined);
        if (refused) throw refused.refusal;
      });
      return { to: INVENTORY + toQuery(query), done: status };
    },
  };
}

function tabs(filters: Filters): Html {
  return html`<ul class="tabs">${TABS.map(
    ([status, label]) =>
      html`<li><a href="${INVENTORY}${toQuery({ ...filters, status })}"${status === filters.status ? html` aria-current="page"` : ''}>${label}</a></li>`,
  )}</ul>`;
}

function results(found: Searched, filters: Filters, mayChange: boolean): Html {
  const { value, exact } = found.count;
  return html`<p>${exact ? count(value, 'truck') : `${number(value)}+ trucks`} · <a href="${INVENTORY}${toQuery({ ...filters, file: 'csv' })}">Save as CSV</a></p>
${facetLinks(found, filters)}${truckTable(found.listings, mayChange)}${nextPage(INVENTORY, filters, found.next_cursor)}`;
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
