import { html } from 'hono/html';
import * as z from 'zod/mini';
import { isProOrAbove } from '../../accounts/access.ts';
import { field, hiddenFields } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { empty } from '../../dashboard/parts/text.ts';
import { requireAccount } from '../../http/context.ts';
import { type PageCall, page } from '../../http/pages/page.ts';
import { TRUCK_CLASSES } from '../../truck/fields.ts';
import { toModelWord } from '../figures/market-sample.ts';
import { readKind } from '../filters.ts';
import { listModels } from '../models.ts';
import { marketPrices } from '../prices.ts';
import { PricesQuery } from '../schemas.ts';
import { marketTrends } from '../trends.ts';
import { pricesView } from './prices-view.ts';
import { trendsView } from './trends-view.ts';

const { make, model, class: truckClass } = PricesQuery.shape;
const Query = z.object({ make, model, class: truckClass, view: z.optional(z.enum(['trends'])) });
type Call = PageCall<undefined, z.output<typeof Query>>;

const WEEKS = 12;

/** The market page: prices of other sellers and of the account, and their weekly trends. */
export default page({
  query: Query,
  async show(call) {
    if (!isProOrAbove(requireAccount(call.ctx))) return { title: 'Market', main: tierWall(call) };
    const { view, model, ...kind } = call.query;
    // A model requires its make.
    const filter = kind.make === undefined ? kind : { ...kind, model };
    const [models, figures] = await Promise.all([
      listModels(call.ctx, readKind(kind).make),
      view === 'trends'
        ? marketTrends(call.ctx, { ...filter, weeks: WEEKS }).then(trendsView)
        : marketPrices(call.ctx, filter).then(pricesView),
    ]);
    return { title: 'Market', main: html`${tabs(call)}${kindForm(call, models)}${figures ?? NO_TRUCKS}` };
  },
});

const NO_TRUCKS = empty(
  'No such trucks',
  'Nobody lists trucks of this kind. Choose another make, model or class.',
);

function tierWall({ ctx }: Call) {
  const { salesEmail } = ctx.ports.settings;
  return empty(
    'Market data is part of Pro and Enterprise',
    html`It shows what other sellers ask for trucks like yours, where your prices stand, and how prices, supply and sales changed in recent weeks. No seller is named. To get it, write to <a href="mailto:${salesEmail}">${salesEmail}</a>.`,
  );
}

function tabs({ query: { view, ...kind } }: Call) {
  const tab = (name: typeof view, label: string) =>
    html`<li><a href="/dashboard/market${toQuery({ ...kind, view: name })}"${view === name ? html` aria-current="page"` : ''}>${label}</a></li>`;
  return html`<ul class="tabs">${tab(undefined, 'Prices')}${tab('trends', 'Trends')}</ul>`;
}

const CLASSES = [
  ['', 'All classes'],
  ...TRUCK_CLASSES.map((value) => [value, `Class ${value.slice(-1)}`] as const),
] as const;

function kindForm({ query, problem }: Call, models: readonly string[]) {
  const call = { formValues: {}, problem };
  const { model: text = '' } = query;
  const value = models.find((model) => toModelWord(model) === toModelWord(text)) ?? text;
  const choices = [
    ['', query.make ? 'All models' : 'Choose a make first'],
    ...[...new Set([...models, value])].filter(Boolean).map((model) => [model, model] as const),
  ] as const;
  return html`<form method="get" class="row">${hiddenFields({ view: query.view })}
${field(call, { name: 'make', label: 'Make', value: query.make ?? null, placeholder: 'Freightliner', maxLength: 80 })}${field(call, { name: 'model', label: 'Model', value, choices })}
${field(call, { name: 'class', label: 'Weight class', value: query.class ?? null, choices: CLASSES })}<button class="plain">Show</button></form>`;
}
