import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Cursor } from '../../contract/json.ts';
import { nextPage } from '../../dashboard/parts/links.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { badge, empty, momentOr, number } from '../../dashboard/parts/text.ts';
import { type Html, page } from '../../http/pages/page.ts';
import type { Feed } from '../feed.ts';
import { listFeeds } from '../feeds.ts';
import { runBadge } from './run-badge.ts';

/** Files that are pulled, how each does, and when it is next. */
export const feeds = page({
  query: z.object({ cursor: Cursor }),
  notices: {
    created: 'The feed is added. Its file is fetched within a minute.',
    removed: 'The feed is removed. The trucks it brought stay listed.',
  },
  async show({ ctx, query }) {
    const found = await listFeeds(ctx, { limit: 50, cursor: query.cursor });
    const add = html`<p class="actions"><a class="button primary" href="/dashboard/feeds/new">Add a feed</a></p>`;
    const main =
      found.feeds.length === 0
        ? html`${empty('No feeds yet', 'A feed is a file with your stock that your system puts on a server. We fetch it every hour or every day, and your list follows it.')}${add}`
        : html`${add}${feedTable(found.feeds)}${nextPage('/dashboard/feeds', {}, found.next_cursor)}`;
    return { title: 'Feeds', main };
  },
});

function feedTable(listed: readonly Feed[]): Html {
  return table(
    'Feeds',
    ['Feed', 'Last run', numeric('Rows'), numeric('Rejected'), 'Ended', 'Next run'],
    listed.map(({ id, name, enabled, last_run, next_run_at }) => [
      html`<a href="/dashboard/feeds/${id}">${name}</a>`,
      last_run === null
        ? 'never'
        : html`<a href="/dashboard/feeds/${id}/runs/${last_run.id}">${runBadge(last_run.status)}</a>`,
      last_run === null ? '' : number(last_run.rows),
      last_run === null ? '' : number(last_run.rejected),
      momentOr(last_run?.finished_at ?? null, ''),
      enabled ? momentOr(next_run_at, '') : badge('paused', 'warn'),
    ]),
  );
}
