import { html } from 'hono/html';
import * as z from 'zod/mini';
import { buttonForm } from '../../dashboard/parts/form.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { count, momentOr, number } from '../../dashboard/parts/text.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type PageCall, page } from '../../http/pages/page.ts';
import { CSV } from '../../http/safe-csv.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { Id } from '../../truck/json.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import { type FeedRun, isUnderWay, UPLOAD_FEED } from '../feed.ts';
import { feedRejects } from '../feed-rejects.ts';
import { refuseRun, releaseRun } from '../feed-runs.ts';
import { listRunChanges, readFeedRun } from '../feeds.ts';
import { errorBox, runBadge } from './feeds.ts';
import { NO_ROWS, rejectTable } from './preview-view.ts';

type Call = Pick<PageCall<{ id: string; run: string }>, 'ctx' | 'params'>;

/** Rows of each list on the page. */
const MAX_ROWS = 200;

/** One run: what it did, what it rejected, which trucks went; a held one is released or refused here. */
export default page({
  params: z.object({ id: Id, run: Id }),
  query: z.object({ file: z.optional(z.literal('rejects')) }),
  notices: {
    saved: 'The feed is saved.',
    released: 'The run is released. It delists the trucks that its file lacks.',
    refused: 'The run is refused. The trucks stay listed.',
  },
  async show(call) {
    const { ctx, params, query } = call;
    if (query.file === 'rejects')
      return {
        filename: `${params.run}-rejects.csv`,
        type: CSV,
        body: await feedRejects(ctx, params.id, params.run),
      };
    const run = await readFeedRun(ctx, params.id, params.run);
    const [back, name, title] =
      params.id === UPLOAD_FEED
        ? ['/dashboard/upload', 'Upload another file', 'Uploaded file']
        : [`/dashboard/feeds/${params.id}`, 'Back to the feed', 'Run of the feed'];
    const main = html`<p><a href="${back}">${name}</a></p>
<div id="run" data-live>${summary(run)}</div>`;
    if (isUnderWay(run)) return { title, main, refreshSeconds: 3 };
    const isHeld = run.status === 'held';
    return {
      title,
      main: html`${main}<p class="hint">Warnings are on the page of a file’s check only.</p>
${isHeld && showDecision(run)}${await showGoneTrucks(call, isHeld)}${run.rejected > 0 && rejects(run)}`,
    };
  },
  actions: {
    release: {
      form: NoFields,
      async run({ ctx, params, address }) {
        await releaseRun(ctx, params, false);
        return { to: address, done: 'released' };
      },
    },
    refuse: {
      form: NoFields,
      async run({ ctx, params, address }) {
        await refuseRun(ctx, params);
        return { to: address, done: 'refused' };
      },
    },
  },
});

const CLOSED = html`<p>This run was held. It was refused, or a later run took its place. It delisted no trucks.</p>`;

const summary = (run: FeedRun) =>
  html`${run.status === 'closed' && CLOSED}${run.status === 'succeeded' && run.rows === 0 && NO_ROWS}${errorBox(run)}
${facts([
  ['Result', runBadge(run.status)],
  ['Started', momentOr(run.started_at, 'not yet')],
  ['Ended', momentOr(run.finished_at, 'not yet')],
  ['Rows', number(run.rows)],
  ['New', number(run.created)],
  ['Changed', number(run.merged)],
  ['Unchanged', number(run.unchanged)],
  ['Delisted', number(run.delisted)],
  ['Rejected', number(run.rejected)],
])}`;

const showDecision = ({ would_delist = 0 }: FeedRun) =>
  html`<section><h2>This run would delist ${count(would_delist, 'truck')}</h2>
<p>Nothing is delisted yet. New trucks and changes are in. If you refuse, the trucks stay listed. A later run that reads a file closes this one.</p>
<div class="actions">${buttonForm('release', `Release: delist ${count(would_delist, 'truck')}`, {}, { look: 'danger', confirm: 'Are these trucks really gone?' })}
${buttonForm('refuse', 'Refuse: keep the trucks')}</div></section>`;

/** Lists the trucks that the run delisted, or would delist. */
async function showGoneTrucks({ ctx, params }: Call, isHeld: boolean) {
  const kind = isHeld ? 'would_delist' : 'delisted';
  const title = isHeld ? 'Would be delisted' : 'Delisted';
  const { changes } = await listRunChanges(ctx, params, { kind, limit: MAX_ROWS });
  if (changes.length === 0) return '';
  return html`<section><h2>${title}</h2>${table(
    title,
    ['VIN', 'Truck', 'Stock number', numeric('Price')],
    changes.map(({ vin, stock_number, currency, old_price, ...truck }) => [
      html`<code>${vin}</code>`,
      nameTruck(truck),
      stock_number ?? '',
      old_price === null ? '' : formatPrice(old_price, currency),
    ]),
  )}</section>`;
}

const rejects = ({ rejects: first, rejected }: FeedRun) =>
  html`<section><h2>${count(rejected, 'rejected row')}</h2><p><a class="button" href="?file=rejects">Save as CSV</a>${rejected > MAX_ROWS && ` The first ${MAX_ROWS} rows; the CSV has all.`}</p>
${rejectTable(first.slice(0, MAX_ROWS))}</section>`;
