import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Cursor } from '../../contract/json.ts';
import { nextPage } from '../../dashboard/parts/links.ts';
import { table } from '../../dashboard/parts/table.ts';
import { badge, empty, momentOr } from '../../dashboard/parts/text.ts';
import { page } from '../../http/pages/page.ts';
import type { Feed } from '../feed.ts';
import { listFeeds } from '../feeds.ts';
import { runBadge } from './run-state.ts';

/** Files that are pulled, how each does, and when it is next. */
export const feeds = page({
  query: z.object({ cursor: Cursor }),
  notices: {
    created: 'The feed is added. Its file is fetched within a minute.',
    removed: 'The feed is removed. The trucks it brought stay listed.',
  },
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
