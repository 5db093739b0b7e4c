import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { marketTrends } from '../trends.ts';
import { price, WITHHELD_WORDS } from './prices-view.ts';

type Trends = Awaited<ReturnType<typeof marketTrends>>;
type Week = Omit<Trends['market']['weeks'][number], 'withheld'>;

/** Shows weekly supply, prices and sales; null if there were no trucks. */
export function trendsView({ market, own, approximate }: Trends): Html | null {
  if (market.count === 0 && own.weeks.every(({ supply }) => supply === 0)) return null;
  return html`<p>Trucks of ${count(market.sellers, 'other seller')}${approximate ? ', estimated' : ''}.</p>
${market.withheld === null ? '' : html`<p class="hint">${WITHHELD_WORDS[market.withheld]}</p>`}
<section><h2>Week by week</h2>${own.feed_only ? html`<p class="hint">Your trucks only disappear from your feeds, so we do not know which were sold. Mark trucks as sold in the inventory to see your sales here.</p>` : ''}
${weekTable(market.weeks, own.weeks)}</section>`;
}

const COLUMNS = [
  'Others for sale',
  'Others ask',
  'Others sold',
  'Days to sell',
  'Yours for sale',
  'You ask',
  'You sold',
];

function weekTable(market: readonly Week[], own: readonly Week[]) {
  const amount = (value: number | null) => (value === null ? '–' : number(value));
  const rows = own.map((ownWeek, at) => {
    const marketWeek = market[at] ?? ownWeek;
    return [
      `Week of ${ownWeek.week}`,
      amount(marketWeek.supply),
      price(marketWeek.median_price),
      amount(marketWeek.sold),
      amount(marketWeek.days_on_market),
      amount(ownWeek.supply),
      price(ownWeek.median_price),
      amount(ownWeek.sold),
    ];
  });
  return table('The market week by week, newest first', ['Week', ...COLUMNS.map(numeric)], rows.toReversed());
}
