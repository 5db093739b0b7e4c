import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { button } from '../../dashboard/parts/form.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { badge, count, empty, momentOr, number } from '../../dashboard/parts/text.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import type { Context } from '../../services/context.ts';
import type { FeedRun } from '../feed.ts';
import { startFeedRun } from '../feed-runs.ts';
import { changeFeed, listFeedRuns, readFeed } from '../feeds.ts';
import { showCadence } from './feed-form.ts';
import { runBadge } from './run-badge.ts';

const RUNS = 30;

/** One feed: where its file is, its last runs, and a run at once. */
export const feed = page({
  params: z.object({ id: Id }),
  notices: {
    changed: 'The feed is saved. The next run reads its file as it says now.',
    paused: 'The feed is paused: its file is fetched only when you press Run now.',
    resumed: 'The feed runs again.',
  },
  async show({ ctx, params }) {
    const found = await readFeed(ctx, params.id);
    const { runs } = await listFeedRuns(ctx, params.id, { limit: RUNS });
    const { name, url, dealer, cadence_minutes, enabled, next_run_at } = found;
    return {
      title: name,
      main: html`${waiting(params.id, runs[0])}<form method="post" class="actions">${button('run_now', 'Run now', { look: 'primary' })}
<a class="button" href="/dashboard/feeds/${params.id}/edit">Change</a>${enabled ? button('pause', 'Pause') : button('resume', 'Resume')}</form>
${facts([
  ['File', html`<code>${url}</code>`],
  ['Trucks of', dealer ?? 'the dealer that each row names'],
  ['Fetched', enabled ? showCadence(cadence_minutes) : badge('paused', 'warn')],
  ['Next run', enabled ? momentOr(next_run_at, 'at once') : 'when you press Run now or Resume'],
])}
<section><h2>${runs.length === 0 ? 'Runs' : `Last ${count(runs.length, 'run')}`}</h2>${
        runs.length === 0
          ? empty('No runs yet', 'Press Run now to fetch the file.')
          : runTable(params.id, runs)
      }</section>`,
    };
  },
  actions: {
    run_now: {
      form: NoFields,
      async run({ ctx, params }) {
        const run = await startFeedRun(ctx, params.id, false);
        return { to: `/dashboard/feeds/${params.id}/runs/${run.id}` };
      },
    },
    pause: { form: NoFields, run: async ({ ctx, params }) => setEnabled(ctx, params.id, false) },
    resume: { form: NoFields, run: async ({ ctx, params }) => setEnabled(ctx, params.id, true) },
  },
});

async function setEnabled(ctx: Context, id: string, enabled: boolean) {
  await changeFeed(ctx, id, { enabled });
  return { to: `/dashboard/feeds/${id}`, done: enabled ? 'resumed' : 'paused' };
}

/** Of a feed whose last run waits for a person: the way to it. */
function waiting(feedId: string, last: FeedRun | undefined): Html | string {
  if (last?.status !== 'held') return '';
  return html`<div class="asking"><p><strong>The last file would take ${count(last.would_delist ?? 0, 'truck')} off the list.</strong>
Nothing is taken off until you agree.</p><a class="button primary" href="/dashboard/feeds/${feedId}/runs/${last.id}">Look at them</a></div>`;
}

function runTable(feedId: string, runs: readonly FeedRun[]): Html {
  return table(
    'Runs, newest first',
    ['Started', 'Result', numeric('New'), numeric('Changed'), numeric('Taken off'), numeric('Rejected')],
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
