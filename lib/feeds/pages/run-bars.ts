import { html } from 'hono/html';
import { number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { listFeedRuns } from '../feeds.ts';

type Run = Awaited<ReturnType<typeof listFeedRuns>>['runs'][number];

const [WIDTH, HEIGHT, GAP] = [12, 48, 4];

/** Runs as bars, oldest first: the height says rows, the colour how it ended. The table beside says the same. */
export function runBars(runs: readonly Run[]): Html {
  const most = Math.max(1, ...runs.map(({ rows }) => rows));
  const bars = runs.toReversed().map(({ rows, status }, at) => {
    const height = Math.max(4, Math.round((rows / most) * HEIGHT));
    return html`<rect class="bar ${status}" x="${at * (WIDTH + GAP)}" y="${HEIGHT - height}" width="${WIDTH}" height="${height}"><title>${rows} rows, ${status}</title></rect>`;
  });
  const width = runs.length * (WIDTH + GAP);
  return html`<p class="hint">One bar a run, the oldest first; the highest stands for ${number(most)} rows. <span class="good">Green</span> succeeded, <span class="warn">yellow</span> waits for you, <span class="bad">red</span> failed.</p><svg class="bars" aria-hidden="true" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}">${bars}</svg>`;
}
