import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { badge } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { ExplainedQuality } from '../../truck/listing/truck.ts';
import { toTable } from '../../truck/text/table.ts';
import { namePart, type Photo } from './truck-table.ts';

/** The quality, and what would raise it the most. */
export function nextSteps({ score, parts }: ExplainedQuality): Html {
  const absent = parts.filter(({ points }) => points === 0).toSorted((a, b) => b.of - a.of);
  return html`<section><h2>Quality ${score} of 100</h2>${
    absent.length === 0
      ? html`<p>Nothing is missing.</p>`
      : table(
          'What would raise the quality',
          ['Add', numeric('Points'), 'Why'],
          absent.map(({ part, of, why }) => [namePart(part), `+${of}`, why ?? '']),
        )
  }</section>`;
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'plain'>> = toTable({ stored: 'good', failed: 'bad' });

/** Photos in the dealer's order, and why some are not shown. */
export function photoTable(photos: readonly Photo[]): Html {
  const rows = photos.map(({ url, status, reason, renditions }, at) => [
    renditions[0]
      ? html`<img class="thumb" src="${renditions[0].url}" alt="Photo ${at + 1}" loading="lazy">`
      : `${at + 1}`,
    badge(status === 'stored' ? 'shown' : status, TONES[status] ?? 'plain'),
    reason?.replaceAll('_', ' ') ?? '',
    html`<code>${url}</code>`,
  ]);
  return html`<section><h2>Photos</h2>${
    rows.length === 0
      ? html`<p>There are none. Add links to photos in your system: buyers pass over trucks that they cannot see.</p>`
      : table('Photos of the truck', ['Photo', 'State', 'Why', 'From'], rows)
  }</section>`;
}
