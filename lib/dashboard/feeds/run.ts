import { html } from 'hono/html';
import * as z from 'zod/mini';
import { FEED_CHANGE_KINDS, type FeedChangeKind } from '../../contract/feeds/feed-fields.ts';
import { Cursor, Id } from '../../contract/json.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { audited } from '../../services/accounts/audited.ts';
import { invalid } from '../../services/context.ts';
import { feedRejects } from '../../services/feeds/feed-rejects.ts';
import { releaseRun } from '../../services/feeds/feed-runs.ts';
import { listRunChanges, readFeedRun } from '../../services/feeds/feeds.ts';
import { button, field } from '../parts/form.ts';
import { nextPage, toQuery } from '../parts/links.ts';
import { facts, table } from '../parts/table.ts';
import { count, momentOr, number } from '../parts/text.ts';
import { rejectTable } from './preview-view.ts';
import { runBadge } from './run-badge.ts';

const Query = z.object({
  kind: z.optional(z.enum(FEED_CHANGE_KINDS)),
  cursor: Cursor,
  file: z.optional(z.literal('rejects')),
});
type Call = PageCall<{ id: string; run: string }, z.output<typeof Query>>;
type Run = Awaited<ReturnType<typeof readFeedRun>>;

/** Shown of each list. */
const SHOWN = 50;

/** One run: what it did, what it rejected, which trucks it changed; a held one is released here. */
export const run = page({
  params: z.object({ id: Id, run: Id }),
  query: Query,
  notices: { released: 'The run is released: trucks missing from the file are now delisted.' },
  async show(call) {
    const { ctx, params, query } = call;
    if (query.file === 'rejects')
      return {
        ...{ filename: `${params.run}-rejects.csv`, type: 'text/csv; charset=utf-8' },
        body: await feedRejects(ctx, params.id, params.run),
      };
    const found = await readFeedRun(ctx, params.id, params.run);
    const isUnderWay = found.status === 'queued' || found.status === 'running';
    return {
      title: 'Feed run',
      main: html`<p><a href="/dashboard/feeds/${params.id}">Back to the feed</a></p>
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
          throw invalid('trucks', `must be ${held.would_delist}, the number of trucks that would go`);
        const act = { action: 'feed.release', target: params.run, detail: { delisted: held.would_delist } };
        await audited(ctx, act, (own) => releaseRun(own, params, false));
        return { to: `/dashboard/feeds/${params.id}/runs/${params.run}`, done: 'released' };
      },
    },
  },
});

function summary({ status, error, started_at, finished_at, phases, ...run }: Run): Html {
  const seconds = Object.entries(phases).map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`);
  return html`${error ? html`<div class="problem"><p>${error.message}</p><p>${error.fix}</p></div>` : ''}
${facts([
  ['Result', runBadge(status)],
  ['Started', momentOr(started_at, 'not yet')],
  ['Ended', momentOr(finished_at, 'not yet')],
  ['Rows', number(run.rows)],
  ['Came', number(run.created)],
  ['Changed', number(run.merged)],
  ['As before', number(run.unchanged)],
  ['Went', number(run.delisted)],
  ['Rejected', number(run.rejected)],
  ['Took', seconds.join(', ') || 'nothing yet'],
])}`;
}

function release(call: Call, { would_delist = 0 }: Run): Html {
  return html`<section><h2>This run would delist ${count(would_delist, 'truck')}</h2>
<p>That is more than usual, so nothing was delisted. New trucks and changes are in. Look at the trucks below: if they are really
gone, release the run; if the file is wrong, mend it, and the next run takes its place.</p>
<form method="post" class="card">${field(call, {
    ...{ name: 'trucks', label: 'How many trucks would go?', isRequired: true, autocomplete: 'off' },
    hint: `Type ${would_delist} to release the run.`,
  })}${button('release', 'Delist them', { look: 'danger' })}</form></section>`;
}

const KINDS: Readonly<Record<FeedChangeKind, string>> = {
  would_delist: 'Would go',
  created: 'Came',
  repriced: 'Repriced',
  merged: 'Changed',
  delisted: 'Went',
};

async function difference({ ctx, params, query, address }: Call, { status }: Run): Promise<Html> {
  const kinds = (Object.keys(KINDS) as FeedChangeKind[]).filter(
    (kind) => (kind === 'would_delist') === (status === 'held') || kind === 'created' || kind === 'repriced',
  );
  const chosen = query.kind ?? kinds[0] ?? 'created';
  const { changes, next_cursor } = await listRunChanges(ctx, params, {
    ...{ kind: chosen, limit: SHOWN, cursor: query.cursor },
  });
  const tabs = kinds.map(
    (kind) =>
      html`<li><a href="${address}${toQuery({ kind })}"${kind === chosen ? html` aria-current="page"` : ''}>${KINDS[kind]}</a></li>`,
  );
  const shown = changes.length === 0 ? html`<p>No trucks.</p>` : changeTable(KINDS[chosen], changes);
  return html`<section><h2>Which trucks</h2><ul class="tabs">${tabs}</ul>${shown}${nextPage(address, { kind: chosen }, next_cursor)}</section>`;
}

type Changes = Awaited<ReturnType<typeof listRunChanges>>['changes'];

function changeTable(caption: string, changes: Changes): Html {
  return table(
    caption,
    [
      { label: 'VIN' },
      { label: 'Truck' },
      { label: 'Stock number' },
      { label: 'Before', isNumber: true },
      { label: 'Now', isNumber: true },
    ],
    changes.map(({ vin, year, make, model, stock_number, old_price, new_price }) => [
      html`<code>${vin}</code>`,
      [year, make, model].filter(Boolean).join(' '),
      stock_number ?? '',
      price(old_price),
      price(new_price),
    ]),
  );
}

const price = (value: number | null) => (value === null ? '' : `$${number(value)}`);

function rejects({ rejects: found, rejects_by_code, rejected }: Run): Html | string {
  if (rejected === 0) return '';
  const codes = Object.entries(rejects_by_code).sort(([, one], [, other]) => other - one);
  return html`<section><h2>${count(rejected, 'rejected row')}</h2>
<ul>${codes.map(([code, rows]) => html`<li>${number(rows)} × <code>${code}</code></li>`)}</ul>
<p><a class="button" href="?file=rejects">Save as CSV</a></p>
${rejectTable(found.slice(0, SHOWN))}</section>`;
}
