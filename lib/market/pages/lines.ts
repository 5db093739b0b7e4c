import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';

const NAMES = { market: 'Other sellers', own: 'Your trucks' };
const [WIDTH, HEIGHT] = [560, 160];

type Values = readonly (number | null)[];

/** A chart of two weeks or more that starts at zero: one line for others, one for the seller. A table repeats it in numbers. */
export function lines(
  title: string,
  values: Readonly<Record<keyof typeof NAMES, Values>>,
  show: (value: number) => string,
): Html | string {
  const highest = Math.max(0, ...[...values.market, ...values.own].map(Number));
  if (highest === 0 || values.own.length < 2) return '';
  const toPoint = (value: number, at: number, count: number) =>
    `${Math.round((at * WIDTH) / Math.max(1, count - 1))} ${Math.round(HEIGHT * (1 - value / highest))}`;
  const toPoints = (some: Values) =>
    some.flatMap((value, at) => (value === null ? [] : [toPoint(value, at, some.length)])).join(' ');
  const kinds = ['market', 'own'] as const;
  return html`<figure><figcaption>${title}, up to ${show(highest)}</figcaption>
<ul class="legend">${kinds.map((kind) => html`<li class="${kind}">${NAMES[kind]}</li>`)}</ul>
<svg class="chart" viewBox="-4 -4 ${WIDTH + 8} ${HEIGHT + 8}" aria-hidden="true">${kinds.map((kind) => html`<polyline class="line ${kind}" points="${toPoints(values[kind])}"/>`)}</svg></figure>`;
}
