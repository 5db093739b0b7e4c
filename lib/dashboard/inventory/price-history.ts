import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import { table } from '../parts/table.ts';
import { moment } from '../parts/text.ts';
import { showPrice } from './truck-table.ts';

export interface PricePoint {
  price: number | null;
  at: string;
}

const [WIDTH, HEIGHT, EDGE] = [480, 96, 4];

/** Prices over time: a stepped line with two prices or more, and the same as a table. */
export function priceHistory(points: readonly PricePoint[], currency: string | null): Html {
  const sorted = points.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const newestFirst = sorted.toReversed();
  return html`${chart(sorted)}${table(
    'Prices, the newest first',
    [{ label: 'Since' }, { label: 'Price', isNumber: true }],
    newestFirst.map(({ price, at }) => [moment(at), showPrice(price, currency)]),
  )}`;
}

/** Steps in the order of the changes, each as wide as any other: two changes of one minute are seen, too. */
function chart(points: readonly PricePoint[]): Html | string {
  const prices = points.flatMap(({ price }) => (price === null ? [] : [price]));
  if (prices.length < 2) return '';
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const step = Math.round(WIDTH / prices.length);
  const line = prices.map((price, at) => {
    const share = (price - lowest) / (highest - lowest || 1);
    const y = Math.round(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE));
    return at === 0 ? `M0 ${y}h${step}` : `V${y}h${step}`;
  });
  return html`<svg class="prices" aria-hidden="true" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path d="${line.join('')}"/></svg>`;
}
