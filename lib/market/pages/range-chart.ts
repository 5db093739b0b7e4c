import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import { niceScale } from './nice-scale.ts';

export interface Range {
  name: string;
  kind: 'market' | 'own';
  p10: number | null;
  p25: number | null;
  p50: number | null;
  p75: number | null;
  p90: number | null;
}

const [WIDTH, ROW, LEFT, RIGHT, BOTTOM] = [560, 44, 128, 28, 28];

/** Where most prices lie: the thin line has four fifths of them, the bar half, the mark is the middle. */
export function rangeChart(
  title: string,
  ranges: readonly Range[],
  show: (value: number) => string,
): Html | string {
  const shown = ranges.filter(({ p50 }) => p50 !== null);
  if (shown.length === 0) return '';
  const ends = shown.flatMap(({ p10, p90 }) => [p10 ?? 0, p90 ?? 0]);
  const { low, high, ticks } = niceScale(Math.min(...ends), Math.max(...ends));
  const toX = (value: number | null) =>
    Math.round(LEFT + (((value ?? 0) - low) / (high - low)) * (WIDTH - LEFT - RIGHT));
  const height = shown.length * ROW + BOTTOM;
  return html`<figure><figcaption>${title}</figcaption><svg class="chart" viewBox="0 0 ${WIDTH} ${height}" aria-hidden="true">
${ticks.map((tick) => html`<path class="axis" d="M${toX(tick)} 0V${height - BOTTOM}"/><text x="${toX(tick)}" y="${height - 6}" text-anchor="middle">${show(tick)}</text>`)}
${shown.map(({ name, kind, p10, p25, p50, p75, p90 }, at) => {
  const y = at * ROW + ROW / 2;
  return html`<text x="0" y="${y + 4}">${name}</text><path class="line ${kind}" d="M${toX(p10)} ${y}H${toX(p90)}"/>
<rect class="${kind}" x="${toX(p25)}" y="${y - 9}" width="${Math.max(2, toX(p75) - toX(p25))}" height="18" rx="3"/><path class="middle" d="M${toX(p50)} ${y - 13}v26"/>`;
})}</svg></figure>`;
}
