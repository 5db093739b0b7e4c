import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, empty, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { WITHHELD_WORDS } from '../../inventory/pages/market-view.ts';
import type { marketTrends } from '../trends.ts';
import { lineChart } from './line-chart.ts';
import { price, shortPrice } from './prices-view.ts';

type Trends = Awaited<ReturnType<typeof marketTrends>>;
type Week = Omit<Trends['market']['weeks'][number], 'withheld'>;

const amount = (value: number | null) => (value === null ? '–' : number(value));

const MONTH_AND_DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', timeZone: 'UTC' };
const nameWeek = (monday: string) => new Date(monday).toLocaleDateString('en-US', MONTH_AND_DAY);

/** How supply, prices and sales moved, week by week. */
export function trendsView({ market, own, approximate }: Trends): Html {
  if (market.count === 0 && own.weeks.every(({ supply }) => supply === 0))
    return empty(
      'No such trucks',
      'Nobody listed trucks of this kind in these weeks. Choose another make or model.',
    );
  const labels = own.weeks.map(({ week }) => nameWeek(week));
  const both = (read: (week: Week) => number | null) => [
    { name: 'Other sellers', kind: 'market' as const, values: market.weeks.map(read) },
    { name: 'Your trucks', kind: 'own' as const, values: own.weeks.map(read) },
  ];
  return html`<p>${count(market.count, 'truck')} of ${count(market.sellers, 'other seller')}${approximate ? ', estimated' : ''}.</p>
${market.withheld === null ? '' : html`<p class="hint">${WITHHELD_WORDS[market.withheld]}</p>`}
<section><h2>Prices</h2>${lineChart({ title: 'Middle asking price', labels, series: both((week) => week.median_price), show: shortPrice })}</section>
<section><h2>For sale</h2>${lineChart({ title: 'Trucks for sale at the end of the week', labels, series: both((week) => week.supply), show: number, startsAtZero: true })}</section>
<section><h2>Week by week</h2>${own.feed_only ? html`<p class="hint">Your trucks only disappear from your feeds, so that we do not know which were sold. Mark trucks sold in the inventory to see your sales here.</p>` : ''}
${weekTable(market.weeks, own.weeks)}</section>`;
}

function weekTable(market: readonly Week[], own: readonly Week[]): Html {
  const columns = [
    'Others for sale',
    'Others ask',
    'Others sold',
    'Days to sell',
    'Yours for sale',
    'You ask',
    'You sold',
  ];
  const rows = own.map((mine, at) => {
    const others = market[at] ?? mine;
    return [
      html`Week of ${nameWeek(mine.week)}`,
      amount(others.supply),
      price(others.median_price),
      amount(others.sold),
      amount(others.days_on_market),
      amount(mine.supply),
      price(mine.median_price),
      amount(mine.sold),
    ];
  });
  return table(
    'The market week by week, the newest first',
    ['Week', ...columns.map(numeric)],
    rows.toReversed(),
  );
}
