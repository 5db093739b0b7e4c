import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, empty, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { WITHHELD_WORDS } from '../../inventory/pages/market-view.ts';
import type { marketPrices } from '../prices.ts';
import { lineChart } from './line-chart.ts';

type Prices = Awaited<ReturnType<typeof marketPrices>>;

export const price = (value: number | null) => (value === null ? '–' : `$${number(value)}`);
export const shortPrice = (value: number) => (value >= 1_000 ? `$${number(value / 1_000)}k` : price(value));

/** What such trucks are offered for, and where one's own stand among them. */
export function pricesView({ market, own, approximate }: Prices): Html {
  if (market.count === 0 && own.count === 0)
    return empty('No such trucks', 'Nobody lists trucks of this kind now. Choose another make or model.');
  return html`<p>${count(market.count, 'truck')} of ${count(market.sellers, 'other seller')}${approximate ? ', estimated' : ''}; ${number(own.count)} of yours.</p>
${market.withheld === null ? '' : html`<p class="hint">${WITHHELD_WORDS[market.withheld]}</p>`}
<section><h2>Where your stock stands</h2>${standing(market, own)}</section>
<section><h2>Asking price by model year</h2>${byYear(market, own)}</section>`;
}

const COLUMNS = ['Trucks', 'Low', 'Lower quarter', 'Middle', 'Upper quarter', 'High'];

function standing(market: Prices['market'], own: Prices['own']): Html {
  const difference = findDifference(own.price.p50, market.price.p50);
  const rows = [
    { name: 'Other sellers', ...market.price },
    { name: 'Your trucks', ...own.price },
  ];
  return html`${difference === null ? '' : html`<p>Your middle price is ${describe(difference)} that of other sellers.</p>`}${table(
    'Asking prices',
    ['Whose', ...COLUMNS.map(numeric)],
    rows.map(({ name, count: trucks, p10, p25, p50, p75, p90 }) => [
      name,
      number(trucks),
      ...[p10, p25, p50, p75, p90].map(price),
    ]),
  )}<p class="hint">Low and high: one truck in ten asks less, and one in ten more.</p>`;
}

const YEAR_COLUMNS = ['Others’ trucks', 'Others ask', 'Your trucks', 'You ask', 'Difference'];

function byYear(market: Prices['market'], own: Prices['own']): Html {
  const years = [...new Set([...market.by_year, ...own.by_year].map(({ year }) => year))].sort(
    (a, b) => a - b,
  );
  const none = { count: 0, price_p50: null };
  const rows = years.map((year) => ({
    year: String(year),
    market: market.by_year.find((each) => each.year === year) ?? none,
    own: own.by_year.find((each) => each.year === year) ?? none,
  }));
  const chart = lineChart({
    title: 'Middle asking price by model year',
    labels: rows.map(({ year }) => year),
    series: [
      { name: 'Other sellers', kind: 'market', values: rows.map((row) => row.market.price_p50) },
      { name: 'Your trucks', kind: 'own', values: rows.map((row) => row.own.price_p50) },
    ],
    show: shortPrice,
  });
  const cells = rows
    .toReversed()
    .map((row) => [
      row.year,
      number(row.market.count),
      price(row.market.price_p50),
      number(row.own.count),
      price(row.own.price_p50),
      percentage(findDifference(row.own.price_p50, row.market.price_p50)),
    ]);
  return html`${chart}${table('Middle asking price by model year', ['Model year', ...YEAR_COLUMNS.map(numeric)], cells)}`;
}

/** In percent of the market's. */
const findDifference = (own: number | null, market: number | null) =>
  own === null || !market ? null : Math.round((own / market - 1) * 100);

const describe = (percent: number) =>
  percent === 0 ? 'the same as' : `${Math.abs(percent)} % ${percent > 0 ? 'above' : 'below'}`;

const percentage = (percent: number | null) =>
  percent === null ? '–' : `${percent > 0 ? '+' : ''}${percent} %`;
