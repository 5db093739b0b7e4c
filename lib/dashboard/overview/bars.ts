import { html } from 'hono/html';
import type { Day } from '../../accounts/overview.ts';
import type { Html } from '../../http/pages/page.ts';
import { number } from '../parts/text.ts';

const SERIES = [
  ['created', 'New'],
  ['sold', 'Sold'],
  ['delisted', 'Delisted'],
] as const;

const [BAR, GAP, HEIGHT] = [8, 2, 56];

/** The last 30 days as bars. */
export const dayBars = (days: readonly Day[]): Html =>
  html`<ul class="charts">${SERIES.map(([name, label]) =>
    oneSeries(
      label,
      days.map((day) => day[name]),
    ),
  )}</ul>`;

/** How much of a limit is used. */
export const limitBar = (label: string, used: number, limit: number, write = number): Html =>
  html`${write(used)} of ${write(limit)}<progress max="${limit}" value="${used}" aria-label="${label}"></progress>`;

function oneSeries(label: string, values: readonly number[]): Html {
  const sum = values.reduce((total, value) => total + value, 0);
  const highest = Math.max(1, ...values);
  const bars = values.flatMap((value, at) => {
    const height = Math.max(1, Math.round((value / highest) * HEIGHT));
    return value === 0 ? [] : [`M${at * (BAR + GAP)} ${HEIGHT}v-${height}h${BAR}v${height}`];
  });
  const width = values.length * (BAR + GAP) - GAP;
  return html`<li><span>${label}</span> <b>${number(sum)}</b><svg viewBox="0 0 ${width} ${HEIGHT + 1}" aria-hidden="true"><path d="M0 ${HEIGHT + 0.5}h${width}" class="axis"/><path d="${bars.join('')}"/></svg></li>`;
}
