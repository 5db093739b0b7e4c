import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import { niceScale } from './nice-scale.ts';

export interface Series {
  name: string;
  /** What colours it: the market's, or the seller's own. */
  kind: 'market' | 'own';
  /** One of each label; null where nothing is known. */
  values: readonly (number | null)[];
}

interface ChartOptions {
  title: string;
  labels: readonly string[];
  series: readonly Series[];
  show(value: number): string;
  /** Amounts start at zero; prices do not. */
  startsAtZero?: true;
}

const [WIDTH, HEIGHT] = [560, 200];
/** Room for what stands beside the axes. */
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 12, 10, 28];

/** Lines over labels. The table beside it says the same in numbers. */
export function lineChart({ title, labels, series, show, startsAtZero }: ChartOptions): Html | string {
  const known = series.flatMap(({ values }) => values.flatMap((value) => (value === null ? [] : [value])));
  if (known.length === 0) return '';
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  // Prices that hardly differ must not look as if they did.
  const { low, high, ticks } = niceScale(startsAtZero ? 0 : lowest - highest * 0.05, highest * 1.05);
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, labels.length - 1);
  const toX = (at: number) => round(labels.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + at * step);
  const toY = (value: number) =>
    round(HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM));
  return html`<figure><figcaption>${title}</figcaption>${legend(series)}<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
${ticks.map((tick) => html`<path class="axis" d="M${LEFT} ${toY(tick)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${toY(tick) + 4}" text-anchor="end">${show(tick)}</text>`)}
${labels.map((label, at) => (isShown(at, labels.length) ? html`<text x="${toX(at)}" y="${HEIGHT - 6}" text-anchor="${toAnchor(at, labels.length)}">${label}</text>` : ''))}
${series.map(({ kind, values }) => html`<path class="line ${kind}" d="${toPath(values, toX, toY)}"/>${values.map((value, at) => (value === null ? '' : html`<circle class="${kind}" cx="${toX(at)}" cy="${toY(value)}" r="3"/>`))}`)}</svg></figure>`;
}

const legend = (series: readonly Pick<Series, 'name' | 'kind'>[]): Html =>
  html`<ul class="legend">${series.map(({ name, kind }) => html`<li class="${kind}">${name}</li>`)}</ul>`;

const round = (value: number) => Math.round(value * 10) / 10;

/** At most about five labels, as many as a phone has room for; the last one always. */
const isShown = (at: number, count: number) => (count - 1 - at) % Math.ceil(count / 5) === 0;

const toAnchor = (at: number, count: number) =>
  at === 0 && count > 1 ? 'start' : at === count - 1 && count > 1 ? 'end' : 'middle';

/** A line that breaks where nothing is known. */
function toPath(
  values: readonly (number | null)[],
  toX: (at: number) => number,
  toY: (value: number) => number,
): string {
  const parts = values.map((value, at) => {
    if (value === null) return '';
    const begins = at === 0 || values[at - 1] === null;
    return `${begins ? 'M' : 'L'}${toX(at)} ${toY(value)}`;
  });
  return parts.join('');
}
