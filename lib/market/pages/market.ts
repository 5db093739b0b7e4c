import { html } from 'hono/html';
import * as z from 'zod/mini';
import { isProOrAbove } from '../../accounts/access.ts';
import { field, hidden } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { empty } from '../../dashboard/parts/text.ts';
import { requireAccount } from '../../http/context.ts';
import { type PageCall, page } from '../../http/pages/page.ts';
import { TRUCK_CLASSES } from '../../truck/fields.ts';
import { marketPrices } from '../prices.ts';
import { PricesQuery } from '../schemas.ts';
import { marketTrends } from '../trends.ts';
import { pricesView } from './prices-view.ts';
import { trendsView } from './trends-view.ts';

const { make, model, class: truckClass } = PricesQuery.shape;
const Query = z.object({ make, model, class: truckClass, view: z.optional(z.enum(['trends'])) });
type Call = PageCall<undefined, z.output<typeof Query>>;

const WEEKS = 12;

/** What trucks like the seller's are offered for, where its own stand, and how that moves. */
export default page({
  query: Query,
  async show(call) {
    if (!isProOrAbove(requireAccount(call.ctx))) return { title: 'Market', main: tierWall(call) };
    const { view, model, ...kind } = call.query;
    // A model without its make is no kind of truck.
    const asked = kind.make === undefined ? kind : { ...kind, model };
    const shown =
      view === 'trends'
        ? trendsView(await marketTrends(call.ctx, { ...asked, weeks: WEEKS }))
        : pricesView(await marketPrices(call.ctx, asked));
    return { title: 'Market', main: html`${tabs(call)}${kindForm(call)}${shown}` };
  },
});

function tierWall({ ctx }: Call) {
  const { salesEmail } = ctx.ports.settings;
  return empty(
    'Market data is part of Pro and Enterprise',
    html`Here you would see what trucks like yours are offered for, where your prices stand among them, and how prices, supply and sales moved in the last weeks; of all other sellers together, never of one. To get it, write to <a href="mailto:${salesEmail}">${salesEmail}</a>.`,
  );
}

function tabs({ query: { view, ...kind } }: Call) {
  const tab = (name: typeof view, label: string) =>
    html`<li><a href="/dashboard/market${toQuery({ ...kind, view: name })}"${view === name ? html` aria-current="page"` : ''}>${label}</a></li>`;
  return html`<ul class="tabs">${tab(undefined, 'Prices')}${tab('trends', 'Trends')}</ul>`;
}

const CLASSES = [
  { value: '', label: 'All classes' },
  ...TRUCK_CLASSES.map((value) => ({ value, label: `Class ${value.slice(-1)}` })),
];

function kindForm({ query, problem }: Call) {
  const call = { sent: {}, problem };
  const word = (name: 'make' | 'model', label: string, placeholder: string) =>
    field(call, { name, label, value: query[name] ?? null, placeholder, maxLength: 80 });
  return html`<form method="get" class="row">${query.view ? hidden({ view: query.view }) : ''}
${word('make', 'Make', 'Freightliner')}${word('model', 'Model', 'Cascadia')}
${field(call, { name: 'class', label: 'Weight class', value: query.class ?? null, choices: CLASSES })}<button class="plain">Show</button></form>`;
}
