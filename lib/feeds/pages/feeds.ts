import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button } from '../../dashboard/parts/form.ts';
import { nextPage } from '../../dashboard/parts/links.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { badge, empty, moment, momentOr, number, type Tone } from '../../dashboard/parts/text.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type PageCall, page } from '../../http/pages/page.ts';
import { Cursor, Id } from '../../truck/json.ts';
import type { FeedRun } from '../feed.ts';
import { startFeedRun } from '../feed-runs.ts';
import { changeFeed, listFeedRuns, listFeeds, readFeed } from '../feeds.ts';
import type { FeedRunStatus } from '../schemas/feed-fields.ts';

const STATUS_BADGES: Readonly<Record<FeedRunStatus, [text: string, tone: Tone]>> = {
  queued: ['waiting to start', 'plain'],
  running: ['running', 'plain'],
  succeeded: ['succeeded', 'good'],
  unchanged: ['file unchanged', 'good'],
  held: ['held', 'warn'],
  failed: ['failed', 'bad'],
  closed: ['closed', 'plain'],
};

export const runBadge = (status: FeedRunStatus) => badge(...STATUS_BADGES[status]);

export const toRunPath = ({ id, feed_id }: FeedRun) => `/dashboard/feeds/${feed_id}/runs/${id}`;
/** Why a run failed or is held, and what to do. */
export const errorBox = (run: FeedRun | null) =>
  run?.error && html`<div class="problem"><p>${run.error.message}</p><p>${run.error.fix}</p></div>`;

const PAUSED = badge('paused', 'warn');

/** Files that are pulled, how each does, and when it is next. */
export const feeds = page({
  query: z.object({ cursor: Cursor }),
  notices: { removed: 'The feed is removed. The trucks it brought stay listed.' },
  async show({ ctx, query }) {
    const { feeds: items, next_cursor } = await listFeeds(ctx, { limit: 50, cursor: query.cursor });
    const rows = items.map(({ id, name, enabled, last_run, next_run_at }) => [
      html`<a href="/dashboard/feeds/${id}">${name}</a>`,
      last_run ? html`<a href="${toRunPath(last_run)}">${runBadge(last_run.status)}</a>` : 'never',
      momentOr(last_run?.finished_at ?? null, ''),
      enabled ? momentOr(next_run_at, '') : PAUSED,
    ]);
    const list =
      rows.length > 0
        ? table('Feeds', ['Feed', 'Last run', 'Ended', 'Next run'], rows)
        : empty(
            'No feeds yet',
            'A feed is a file with your stock that your system puts on a server. We fetch it every hour or every day, and your list follows it.',
          );
    return {
      title: 'Feeds',
      main: html`<p class="actions"><a class="button primary" href="/dashboard/feeds/new">Add a feed</a></p>${list}${nextPage('/dashboard/feeds', {}, next_cursor)}`,
    };
  },
});

/** One feed: where its file is, its last runs, and a run at once. */
export const feed = page({
  params: z.object({ id: Id }),
  notices: {
    saved: 'The feed is saved.',
    paused: 'The feed is paused. Its file is fetched only when you press Run now.',
    resumed: 'The feed runs again.',
  },
  async show({ ctx, params: { id } }) {
    const { name, url, cadence_minutes, enabled, next_run_at, last_run } = await readFeed(ctx, id);
    const { runs } = await listFeedRuns(ctx, id, { limit: 30 });
    return {
      title: name,
      main: html`${errorBox(last_run)}${last_run?.error && html`<p><a class="button" href="${toRunPath(last_run)}">Open the run</a></p>`}<form method="post" class="actions">${button('run_now', 'Run now', { look: 'primary' })}
<a class="button" href="/dashboard/feeds/${id}/edit">Change</a>${enabled ? button('pause', 'Pause') : button('resume', 'Resume')}</form>
${facts([
  ['File', html`<code>${url}</code>`],
  ['Minutes between two runs', number(cadence_minutes)],
  ['Next run', enabled ? momentOr(next_run_at, 'at once') : PAUSED],
])}
${runTable('Last runs', runs)}`,
    };
  },
  actions: {
    run_now: {
      form: NoFields,
      run: async ({ ctx, params }) => ({ to: toRunPath(await startFeedRun(ctx, params.id, false)) }),
    },
    pause: setEnabled(false, 'paused'),
    resume: setEnabled(true, 'resumed'),
  },
});

function setEnabled(enabled: boolean, done: string) {
  return {
    form: NoFields,
    async run({ ctx, params: { id } }: PageCall<{ id: string }>) {
      await changeFeed(ctx, id, { enabled });
      return { to: `/dashboard/feeds/${id}`, done };
    },
  };
}

const RUN_COLUMNS = ['Started', 'Result', ...['New', 'Changed', 'Delisted', 'Rejected'].map(numeric)];

/** Runs as rows, each with the link to its page. */
export const runTable = (title: string, runs: FeedRun[]) =>
  runs.length > 0 &&
  html`<section><h2>${title}</h2>${table(title, RUN_COLUMNS, runs.map(toRunCells))}</section>`;

const toRunCells = (run: FeedRun) => [
  html`<a href="${toRunPath(run)}">${moment(run.created_at)}</a>`,
  runBadge(run.status),
  ...[run.created, run.merged, run.delisted, run.rejected].map(number),
];
