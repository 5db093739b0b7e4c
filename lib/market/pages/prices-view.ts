import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { marketPrices } from '../prices.ts';

export const WITHHELD_WORDS = {
  too_few_listings: 'Other sellers have too few such trucks to compare with.',
  too_few_sellers: 'Too few other sellers have such trucks to compare with.',
  sample_too_small: 'This market is too large to read in full, and our sample has too few such trucks.',
  dominant_seller: 'Nearly all such trucks belong to one seller, so its prices are not shown.',
} as const;

type Prices = Awaited<ReturnType<typeof marketPrices>>;

export const price = (value: number | null) => (value === null ? '–' : `$${number(value)}`);

/** Shows other sellers' prices beside the account's own; null if there are no trucks. */
export function pricesView({ market, own, approximate, filters }: Prices): Html | null {
  if (market.count === 0 && own.count === 0) return null;
  return html`<p>${count(market.count, 'truck')} of ${count(market.sellers, 'other seller')}${approximate ? ', estimated' : ''}; ${number(own.count)} of yours.</p>
${market.withheld === null ? '' : html`<p class="hint">${WITHHELD_WORDS[market.withheld]}</p>`}
<section><h2>Asking prices</h2>${spread(market, own)}</section>
${filters.model && html`<section><h2>Median by model year</h2>${byYear(market, own)}</section>`}`;
}

const QUANTILES = { p10: 'Low', p25: 'Lower quarter', p50: 'Median', p75: 'Upper quarter', p90: 'High' };

function spread(market: Prices['market'], own: Prices['own']) {
  const toRow = (label: string, prices: Prices['own']['price']) => [
    label,
    number(prices.count),
    ...(Object.keys(QUANTILES) as (keyof typeof QUANTILES)[]).map((name) => price(prices[name])),
  ];
  return html`${table(
    'Asking prices',
    ['Seller', ...['Trucks', ...Object.values(QUANTILES)].map(numeric)],
    [toRow('Other sellers', market.price), toRow('Your trucks', own.price)],
  )}<p class="hint">Low: one truck in ten asks less. High: one truck in ten asks more.</p>`;
}

const YEAR_COLUMNS = ['Others’ trucks', 'Others ask', 'Your trucks', 'You ask'];

/** Shows model years of one model: of several, each year would compare other models. */
function byYear(market: Prices['market'], own: Prices['own']) {
  const years = new Set([...market.by_year, ...own.by_year].map(({ year }) => year));
  const none = { count: 0, price_p50: null };
  const rows = [...years].sort().map((year) => {
    const marketYear = market.by_year.find((yearRow) => yearRow.year === year) ?? none;
    const ownYear = own.by_year.find((yearRow) => yearRow.year === year) ?? none;
    return [
      `${year}`,
      number(marketYear.count),
      price(marketYear.price_p50),
      number(ownYear.count),
      price(ownYear.price_p50),
    ];
  });
  return table('Median by model year', ['Model year', ...YEAR_COLUMNS.map(numeric)], rows.toReversed());
}
