import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Cursor, Id } from '../../contract/json.ts';
import { button, field } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { describeReject } from '../../dashboard/parts/reject-reasons.ts';
import { facts, table } from '../../dashboard/parts/table.ts';
import { count, momentOr, number } from '../../dashboard/parts/text.ts';
import { nameTruck } from '../../domain/card/name-truck.ts';
import { formatPrice } from '../../domain/text/currency.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { invalid } from '../../services/context.ts';
import { type FeedRun, type RunChange, UPLOAD_FEED } from '../feed.ts';
import { feedRejects } from '../feed-rejects.ts';
import { releaseRun } from '../feed-runs.ts';
import { listRunChanges, readFeedRun } from '../feeds.ts';
import { FEED_CHANGE_KINDS, type FeedChangeKind } from '../schemas/feed-fields.ts';
import { noRows, rejectTable } from './preview-view.ts';
import { runBadge } from './run-badge.ts';

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
    const isUpload = params.id === UPLOAD_FEED;
    const isUnderWay = found.status === 'queued' || found.status === 'running';
    return {
      title: isUpload ? 'Uploaded file' : 'Run of the feed',
      main: html`<p>${isUpload ? html`<a href="/dashboard/upload">Upload another file</a>` : html`<a href="/dashboard/feeds/${params.id}">Back to the feed</a>`}</p>
<div id="run" data-live>${summary(found)}</div>
${found.status === 'held' ? release(call, found) : ''}${isUnderWay ? '' : await difference(call, found)}${rejects(found)}`,
      ...(isUnderWay ? { refreshSeconds: 3 } : {}),
    };
  },
  actions: {
    release: {
      form: z.object({ trucks: z.string() }),
      async run({ ctx, params, form }) {
        const held = await readFeedRun(ctx, params.id, params.run);
        if (form.trucks.replaceAll(/[,\s]/g, '') !== String(held.would_delist))
          throw invalid(
            'trucks',
            `must be ${held.would_delist}, the number of trucks that would be taken off`,
          );
        await releaseRun(ctx, params, false);
        return { to: `/dashboard/feeds/${params.id}/runs/${params.run}`, done: 'released' };
      },
    },
  },
});

function summary({ status, error, started_at, finished_at, phases, ...run }: FeedRun): Html {
  const took = Object.values(phases).reduce((sum, ms) => sum + ms, 0) / 1_000;
  return html`${status === 'succeeded' && run.rows === 0 ? noRows() : ''}${error ? html`<div class="problem"><p>${error.message}</p><p>${error.fix}</p></div>` : ''}
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
  ['Took', took === 0 ? 'nothing yet' : `${took.toFixed(1)} s`],
])}`;
}

function release(call: Call, { would_delist = 0 }: FeedRun): Html {
  return html`<section><h2>This run would take ${count(would_delist, 'truck')} off the list</h2>
<p>That is more than usual, so nothing was taken off. New trucks and changes are in. Look at the trucks below: if they are really
gone, agree here. If the file is wrong, correct it: the next run takes the place of this one.</p>
<form method="post" class="card">${field(call, {
    name: 'trucks',
    label: 'How many trucks?',
    isRequired: true,
    autocomplete: 'off',
    hint: `Type ${would_delist} to agree.`,
  })}${button('release', 'Take them off the list', { look: 'danger' })}</form></section>`;
}

const KINDS: Readonly<Record<FeedChangeKind, string>> = {
  would_delist: 'Would be taken off',
  created: 'New',
  repriced: 'New price',
  merged: 'Changed',
  delisted: 'Taken off',
};

async function difference({ ctx, params, query, address }: Call, found: FeedRun): Promise<Html> {
  const isHeld = found.status === 'held';
  const kinds = (Object.keys(KINDS) as FeedChangeKind[]).filter(
    (kind) => kind !== (isHeld ? 'delisted' : 'would_delist'),
  );
  const chosen = query.kind ?? (isHeld ? 'would_delist' : firstChange(found));
  const { changes, next_cursor } = await listRunChanges(ctx, params, {
    kind: chosen,
    limit: SHOWN,
    cursor: query.cursor,
  });
  const tabs = kinds.map(
    (kind) =>
      html`<li><a href="${address}${toQuery({ kind })}"${kind === chosen ? html` aria-current="page"` : ''}>${KINDS[kind]}</a></li>`,
  );
  const shown = changes.length === 0 ? html`<p>No trucks.</p>` : changeTable(chosen, changes);
  return html`<section><h2>Which trucks</h2><ul class="tabs">${tabs}</ul>${shown}${nextPage(address, { kind: chosen }, next_cursor)}</section>`;
}

/** What there is most to say about: a page that opens with nothing says nothing. */
function firstChange({ created, delisted, merged }: FeedRun): FeedChangeKind {
  if (delisted > 0) return 'delisted';
  return created === 0 && merged > 0 ? 'merged' : 'created';
}

function changeTable(kind: FeedChangeKind, changes: readonly RunChange[]): Html {
  const isRepriced = kind === 'repriced' || kind === 'merged';
  return table(
    KINDS[kind],
    [
      'VIN',
      'Truck',
      'Stock number',
      ...(isRepriced ? [{ label: 'Before', isNumber: true as const }] : []),
      { label: isRepriced ? 'Now' : 'Price', isNumber: true },
    ],
    changes.map(({ vin, stock_number, currency, old_price, new_price, ...truck }) => [
      html`<code>${vin}</code>`,
      nameTruck(truck),
      stock_number ?? '',
      ...(isRepriced ? [price(old_price, currency)] : []),
      price(new_price ?? old_price, currency),
    ]),
  );
}

const price = (value: number | null, currency: string | null) =>
  value === null ? '' : formatPrice(value, currency);

function rejects({ rejects: found, rejects_by_code, rejected }: FeedRun): Html | string {
  if (rejected === 0) return '';
  const codes = Object.entries(rejects_by_code).sort(([, one], [, other]) => other - one);
  return html`<section><h2>${count(rejected, 'rejected row')}</h2>
<ul>${codes.map(([code, rows]) => html`<li>${number(rows)} × ${describeReject(code).title}</li>`)}</ul>
<p><a class="button" href="?file=rejects">Save as CSV</a></p>
${rejectTable(found.slice(0, SHOWN))}</section>`;
}
