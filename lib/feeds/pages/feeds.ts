import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button } from '../../dashboard/parts/form.ts';
import { nextPage } from '../../dashboard/parts/links.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { badge, empty, momentOr, number } from '../../dashboard/parts/text.ts';
import type { Context } from '../../http/context.ts';
import { NoFields } from '../../http/pages/form.ts';
import { page } from '../../http/pages/page.ts';
import { Cursor, Id } from '../../truck/json.ts';
import type { Feed, FeedRun } from '../feed.ts';
import { startFeedRun } from '../feed-runs.ts';
import { changeFeed, listFeedRuns, listFeeds, readFeed } from '../feeds.ts';
import { runBadge } from './run-state.ts';

/** Files that are pulled, how each does, and when it is next. */
export const feeds = page({
  query: z.object({ cursor: Cursor }),
  notices: { removed: 'The feed is removed. The trucks it brought stay listed.' },
  async show({ ctx, query }) {
    const { feeds: listed, next_cursor } = await listFeeds(ctx, { limit: 50, cursor: query.cursor });
    const shown =
      listed.length === 0
        ? empty(
            'No feeds yet',
            'A feed is a file with your stock that your system puts on a server. We fetch it every hour or every day, and your list follows it.',
          )
        : table('Feeds', ['Feed', 'Last run', 'Ended', 'Next run'], listed.map(toRow));
    return {
      title: 'Feeds',
      main: html`<p class="actions"><a class="button primary" href="/dashboard/feeds/new">Add a feed</a></p>${shown}${nextPage('/dashboard/feeds', {}, next_cursor)}`,
    };
  },
});

const toRow = ({ id, name, enabled, last_run, next_run_at }: Feed) => [
  html`<a href="/dashboard/feeds/${id}">${name}</a>`,
  last_run
    ? html`<a href="/dashboard/feeds/${id}/runs/${last_run.id}">${runBadge(last_run.status)}</a>`
    : 'never',
  momentOr(last_run?.finished_at ?? null, ''),
  enabled ? momentOr(next_run_at, '') : badge('paused', 'warn'),
];

/** One feed: where its file is, its last runs, and a run at once. */
export const feed = page({
  params: z.object({ id: Id }),
  notices: {
    saved: 'The feed is saved. Its next run reads the file as it says now.',
    paused: 'The feed is paused: its file is fetched only when you press Run now.',
    resumed: 'The feed runs again.',
  },
  async show({ ctx, params: { id } }) {
    const { name, url, cadence_minutes, enabled, next_run_at } = await readFeed(ctx, id);
    const { runs } = await listFeedRuns(ctx, id, { limit: 30 });
    return {
      title: name,
      main: html`<form method="post" class="actions">${button('run_now', 'Run now', { look: 'primary' })}
<a class="button" href="/dashboard/feeds/${id}/edit">Change</a>${enabled ? button('pause', 'Pause') : button('resume', 'Resume')}</form>
${facts([
  ['File', html`<code>${url}</code>`],
  ['Fetched', enabled ? `every ${number(cadence_minutes)} minutes` : badge('paused', 'warn')],
  ['Next run', enabled ? momentOr(next_run_at, 'at once') : 'when you press Run now or Resume'],
])}
<section><h2>Last runs</h2>${runTable(runs)}</section>`,
    };
  },
  actions: {
    run_now: {
      form: NoFields,
      async run({ ctx, params }) {
        const run = await startFeedRun(ctx, params.id, false);
        return { to: toPath(run) };
      },
    },
    pause: { form: NoFields, run: ({ ctx, params }) => setEnabled(ctx, params.id, false) },
    resume: { form: NoFields, run: ({ ctx, params }) => setEnabled(ctx, params.id, true) },
  },
});

async function setEnabled(ctx: Context, id: string, enabled: boolean) {
  await changeFeed(ctx, id, { enabled });
  return { to: `/dashboard/feeds/${id}`, done: enabled ? 'resumed' : 'paused' };
}

const toPath = ({ id, feed_id }: FeedRun) => `/dashboard/feeds/${feed_id}/runs/${id}`;

const runTable = (runs: readonly FeedRun[]) =>
  table(
    'Runs, newest first',
    ['Started', 'Result', numeric('New'), numeric('Changed'), numeric('Taken off'), numeric('Rejected')],
    runs.map((run) => [
      html`<a href="${toPath(run)}">${momentOr(run.created_at, '')}</a>`,
      runBadge(run.status),
      number(run.created),
      number(run.merged),
      number(run.delisted),
      number(run.rejected),
    ]),
  );
