import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Cursor, Id } from '../../contract/json.ts';
import { button, field } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { count, momentOr, number } from '../../dashboard/parts/text.ts';
import { nameTruck } from '../../domain/card/name-truck.ts';
import { formatPrice } from '../../domain/text/currency.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { invalid } from '../../services/context.ts';
import { type FeedRun, UPLOAD_FEED } from '../feed.ts';
import { feedRejects } from '../feed-rejects.ts';
import { releaseRun } from '../feed-runs.ts';
import { listRunChanges, readFeedRun } from '../feeds.ts';
import { FEED_CHANGE_KINDS } from '../schemas/feed-fields.ts';
import { NO_ROWS, rejectTable } from './preview-view.ts';
import { runBadge } from './run-state.ts';

const Query = z.object({
  kind: z.optional(z.enum(FEED_CHANGE_KINDS)),
  cursor: Cursor,
  file: z.optional(z.literal('rejects')),
});
type Call = PageCall<{ id: string; run: string }, z.output<typeof Query>>;

/** Shown of each list. */
const SHOWN = 50;

/** One run: what it did, what it rejected, which trucks it changed; a held one is released here. */
export const run = page({
  params: z.object({ id: Id, run: Id }),
  query: Query,
  notices: { released: 'Done: the trucks that are missing from the file are taken off the list now.' },
  async show(call) {
    const { ctx, params, query } = call;
    if (query.file === 'rejects')
      return {
        filename: `${params.run}-rejects.csv`,
        type: 'text/csv; charset=utf-8',
        body: await feedRejects(ctx, params.id, params.run),
      };
    const found = await readFeedRun(ctx, params.id, params.run);
    const isUnderWay = found.status === 'queued' || found.status === 'running';
    const isUpload = params.id === UPLOAD_FEED;
    return {
      title: isUpload ? 'Uploaded file' : 'Run of the feed',
      main: html`<p>${isUpload ? html`<a href="/dashboard/upload">Upload another file</a>` : html`<a href="/dashboard/feeds/${params.id}">Back to the feed</a>`}</p>
<div id="run" data-live>${summary(found)}</div>
${found.status === 'held' ? release(call, found) : ''}${isUnderWay ? '' : await changes(call, found)}${found.rejected === 0 ? '' : rejects(found)}`,
      ...(isUnderWay ? { refreshSeconds: 3 } : {}),
    };
  },
  actions: {
    release: {
      form: z.object({ trucks: z.string() }),
      async run({ ctx, params, form }) {
        const { would_delist } = await readFeedRun(ctx, params.id, params.run);
        if (form.trucks.replaceAll(/[,\s]/g, '') !== String(would_delist))
          throw invalid('trucks', `must be ${would_delist}, the number of trucks that would be taken off`);
        await releaseRun(ctx, params, false);
        return { to: `/dashboard/feeds/${params.id}/runs/${params.run}`, done: 'released' };
      },
    },
  },
});

function summary({ status, error, started_at, finished_at, ...run }: FeedRun): Html {
  const isEmpty = status === 'succeeded' && run.rows === 0;
  return html`${isEmpty ? NO_ROWS : ''}${error ? html`<div class="problem"><p>${error.message}</p><p>${error.fix}</p></div>` : ''}
${facts([
  ['Result', runBadge(status)],
  ['Started', momentOr(started_at, 'not yet')],
  ['Ended', momentOr(finished_at, 'not yet')],
  ['Rows', number(run.rows)],
  ['New', number(run.created)],
  ['Changed', number(run.merged)],
  ['Unchanged', number(run.unchanged)],
  ['Taken off the list', number(run.delisted)],
  ['Rejected', number(run.rejected)],
])}`;
}

const release = (call: Call, { would_delist = 0 }: FeedRun) =>
  html`<section><h2>This run would take ${count(would_delist, 'truck')} off the list</h2>
<p>That is more than usual, so nothing was taken off. New trucks and changes are in. Look at the trucks below: if they are really
gone, agree here. If the file is wrong, correct it: the next run takes the place of this one.</p>
<form method="post" class="card">${field(call, {
    name: 'trucks',
    label: 'How many trucks?',
    isRequired: true,
    autocomplete: 'off',
    hint: `Type ${would_delist} to agree.`,
  })}${button('release', 'Take them off the list', { look: 'danger' })}</form></section>`;

const KINDS = {
  would_delist: 'Would be taken off',
  created: 'New',
  repriced: 'New price',
  merged: 'Changed',
  delisted: 'Taken off',
};

async function changes({ ctx, params, query, address }: Call, found: FeedRun): Promise<Html> {
  const [gone, other] =
    found.status === 'held'
      ? (['would_delist', 'delisted'] as const)
      : (['delisted', 'would_delist'] as const);
  const kinds = FEED_CHANGE_KINDS.filter((kind) => kind !== other);
  const { kind = found.delisted > 0 || found.status === 'held' ? gone : 'created', cursor } = query;
  const listed = await listRunChanges(ctx, params, { kind, limit: SHOWN, cursor });
  const tabs = kinds.map(
    (each) =>
      html`<li><a href="${address}${toQuery({ kind: each })}"${each === kind ? html` aria-current="page"` : ''}>${KINDS[each]}</a></li>`,
  );
  const trucks = table(
    KINDS[kind],
    ['VIN', 'Truck', 'Stock number', numeric('Price before'), numeric('Price')],
    listed.changes.map(({ vin, stock_number, currency, old_price, new_price, ...truck }) => [
      html`<code>${vin}</code>`,
      nameTruck(truck),
      stock_number ?? '',
      old_price === null ? '' : formatPrice(old_price, currency),
      new_price === null ? '' : formatPrice(new_price, currency),
    ]),
  );
  return html`<section><h2>Which trucks</h2><ul class="tabs">${tabs}</ul>
${listed.changes.length === 0 ? html`<p>No trucks.</p>` : trucks}${nextPage(address, { kind }, listed.next_cursor)}</section>`;
}

const rejects = ({ rejects: first, rejected }: FeedRun) =>
  html`<section><h2>${count(rejected, 'rejected row')}</h2><p><a class="button" href="?file=rejects">Save as CSV</a></p>
${rejectTable(first.slice(0, SHOWN))}</section>`;
