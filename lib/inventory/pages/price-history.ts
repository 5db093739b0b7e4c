import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { moment } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { niceScale } from '../../market/pages/nice-scale.ts';
import { showPrice } from './truck-table.ts';

export interface PricePoint {
  price: number | null;
  at: string;
}

const [WIDTH, HEIGHT] = [560, 160];
/** Room for what stands beside the axes. */
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 12, 20, 26];

/** Prices over time: a stepped line with two prices or more, and the same as a table. */
export function priceHistory(points: readonly PricePoint[], currency: string | null, nowMs: number): Html {
  const sorted = points.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return html`${chart(sorted, currency, nowMs)}${table(
    'Prices, the newest first',
    ['Since', numeric('Price')],
    sorted.toReversed().map(({ price, at }) => [moment(at), showPrice(price, currency)]),
  )}`;
}

interface Point {
  price: number;
  atMs: number;
}

function chart(points: readonly PricePoint[], currency: string | null, nowMs: number): Html | string {
  const known = points.flatMap(({ price, at }) => (price === null ? [] : [{ price, atMs: Date.parse(at) }]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || first === last) return '';
  const prices = known.map(({ price }) => price);
  const highest = Math.max(...prices);
  // A cut of 5 % must not look like one of half the price.
  const { low, high, ticks } = niceScale(Math.min(...prices) - highest * 0.1, highest * 1.05);
  const spanMs = Math.max(1, nowMs - first.atMs);
  const toX = (atMs: number) => Math.round(LEFT + ((atMs - first.atMs) / spanMs) * (WIDTH - LEFT - RIGHT));
  const toY = (price: number) =>
    Math.round(HEIGHT - BOTTOM - ((price - low) / (high - low)) * (HEIGHT - TOP - BOTTOM));
  const grid = ticks.map(
    (tick) =>
      html`<path class="axis" d="M${LEFT} ${toY(tick)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${toY(tick) + 4}" text-anchor="end">${showPrice(tick, currency)}</text>`,
  );
  const ends = html`<text x="${LEFT}" y="${HEIGHT - 6}">${toDay(first.atMs)}</text><text x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${toDay(nowMs)}</text>
<text x="${LEFT + 4}" y="${toY(first.price) - 6}">${showPrice(first.price, currency)}</text><text x="${WIDTH - RIGHT}" y="${toY(last.price) - 6}" text-anchor="end">${showPrice(last.price, currency)}</text>`;
  return html`<figure><figcaption>From ${showPrice(first.price, currency)} to ${showPrice(last.price, currency)}, ${change(first, last)}</figcaption>
<svg class="chart prices" aria-hidden="true" viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid}<path class="line own" d="${toSteps(known, toX, toY)}H${WIDTH - RIGHT}"/>${ends}</svg></figure>`;
}

const toSteps = (points: readonly Point[], toX: (at: number) => number, toY: (price: number) => number) =>
  points
    .map(({ price, atMs }, at) => (at === 0 ? `M${toX(atMs)} ${toY(price)}` : `H${toX(atMs)}V${toY(price)}`))
    .join('');

function change(first: Point, last: Point): string {
  const percent = Math.round(((last.price - first.price) / first.price) * 1_000) / 10;
  return percent > 0 ? `up ${percent} %` : percent < 0 ? `down ${-percent} %` : 'as it began';
}

const toDay = (atMs: number) =>
  new Date(atMs).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
