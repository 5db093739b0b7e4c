import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { startFeedRun } from '../../services/feeds/feed-runs.ts';
import { listFeedRuns, readFeed } from '../../services/feeds/feeds.ts';
import { button } from '../parts/form.ts';
import { facts, table } from '../parts/table.ts';
import { count, empty, momentOr, number } from '../parts/text.ts';
import { runBadge } from './run-badge.ts';
import { runBars } from './run-bars.ts';

const RUNS = 30;

/** One feed: where its file is, its last runs, and a run at once. */
export const feed = page({
  params: z.object({ id: Id }),
  async show({ ctx, params }) {
    const found = await readFeed(ctx, params.id);
    const { runs } = await listFeedRuns(ctx, params.id, { limit: RUNS });
    const { name, url, dealer, cadence_minutes, enabled, next_run_at } = found;
    return {
      title: name,
      main: html`<form method="post" class="actions">${button('run_now', 'Run now', { look: 'primary' })}</form>
${facts([
  ['File', html`<code>${url}</code>`],
  ['Dealer', dealer ?? 'as each row says'],
  ['Pulled', enabled ? `every ${count(cadence_minutes, 'minute')}` : 'only by hand'],
  ['Next run', enabled ? momentOr(next_run_at, 'at once') : 'paused'],
])}
<section><h2>Last ${count(Math.max(runs.length, 1), 'run')}</h2>${
        runs.length === 0
          ? empty('No runs yet', 'Press Run now to pull the file.')
          : html`${runBars(runs)}${runTable(params.id, runs)}`
      }</section>`,
    };
  },
  actions: {
    run_now: {
      form: NoFields,
      async run({ ctx, params }) {
        const { run } = await startFeedRun(ctx, params.id, false);
        return { to: `/dashboard/feeds/${params.id}/runs/${run.id}` };
      },
    },
  },
});

type Runs = Awaited<ReturnType<typeof listFeedRuns>>['runs'];

function runTable(feedId: string, runs: Runs): Html {
  return table(
    'Runs, newest first',
    [
      { label: 'Started' },
      { label: 'Result' },
      { label: 'Came', isNumber: true },
      { label: 'Changed', isNumber: true },
      { label: 'Went', isNumber: true },
      { label: 'Rejected', isNumber: true },
    ],
    runs.map(({ id, status, created_at, created, merged, delisted, rejected }) => [
      html`<a href="/dashboard/feeds/${feedId}/runs/${id}">${momentOr(created_at, '')}</a>`,
      runBadge(status),
      number(created),
      number(merged),
      number(delisted),
      number(rejected),
    ]),
  );
}
