import { html } from 'hono/html';
import * as z from 'zod/mini';
import { isProOrAbove } from '../../accounts/access.ts';
import { field, hidden } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { empty } from '../../dashboard/parts/text.ts';
import { requireAccount } from '../../http/context.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { TRUCK_CLASSES } from '../../truck/fields.ts';
import { MAKES } from '../../truck/vocabulary/makes.ts';
import { marketPrices } from '../prices.ts';
import { marketTrends } from '../trends.ts';
import { pricesView } from './prices-view.ts';
import { trendsView } from './trends-view.ts';

const Word = z.optional(
  z.string().check(
    z.maxLength(80),
    z.refine((text) => text.isWellFormed()),
  ),
);
const Query = z.object({
  make: Word,
  model: Word,
  class: z.optional(z.enum(TRUCK_CLASSES)),
  view: z.optional(z.enum(['trends'])),
});
type Call = PageCall<undefined, z.output<typeof Query>>;

const MARKET = '/dashboard/market';
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

function tierWall({ ctx }: Call): Html {
  const { salesEmail } = ctx.ports.settings;
  return empty(
    'Market data is part of Pro and Enterprise',
    html`Here you would see what trucks like yours are offered for, where your prices stand among them, and how prices, supply and sales moved in the last weeks; of all other sellers together, never of one. To get it, write to <a href="mailto:${salesEmail}">${salesEmail}</a>.`,
  );
}

function tabs({ query: { view, ...kind } }: Call): Html {
  return html`<ul class="tabs">${(
    [
      [undefined, 'Prices'],
      ['trends', 'Trends'],
    ] as const
  ).map(
    ([name, label]) =>
      html`<li><a href="${MARKET}${toQuery({ ...kind, view: name })}"${view === name ? html` aria-current="page"` : ''}>${label}</a></li>`,
  )}</ul>`;
}

const CLASSES = [
  { value: '', label: 'All classes' },
  ...TRUCK_CLASSES.map((value) => ({ value, label: `Class ${value.slice(-1)}` })),
];

function kindForm({ query, problem }: Call): Html {
  const call = { sent: {}, problem };
  const makes = Object.keys(MAKES).toSorted();
  const known = query.make === undefined || makes.includes(query.make) ? makes : [query.make, ...makes];
  return html`<form method="get" class="row">${query.view ? hidden({ view: query.view }) : ''}
${field(call, { name: 'make', label: 'Make', value: query.make ?? null, choices: [{ value: '', label: 'All makes' }, ...known.map((value) => ({ value, label: value }))] })}
${field(call, { name: 'model', label: 'Model', value: query.model ?? null, placeholder: 'Cascadia', maxLength: 80 })}
${field(call, { name: 'class', label: 'Weight class', value: query.class ?? null, choices: CLASSES })}<button class="plain">Show</button></form>`;
}
