import { ApiError } from '../../errors.ts';
import type { AuditEntry } from '../../ports/accounts/audit.ts';
import { toAuditEntry } from '../../services/accounts/audited.ts';
import { type Context, invalid, requireAccount } from '../../services/context.ts';
import { countUse, toQuota } from '../../services/fair-use.ts';
import { type Work, workOff } from '../../services/jobs/work-off.ts';
import { type FeedPlan, readPlan } from '../mapping/feed-mapping.ts';
import { readRows } from '../mapping/feed-records.ts';
import { inPreviewSlot, inReaderSlot } from '../preview/preview-slots.ts';
import { type FeedPreview, toSettings } from '../preview/preview-source.ts';
import { queueUpload, readUploadFile, readUploadState, saveUpload } from '../queries/uploads.ts';
import { ingestRows } from '../row-results.ts';
import type { KeptFile } from './kept-file.ts';
import { noRowsListed, noteRow, UPLOAD_SOURCE } from './list-rows.ts';
import { readUpload } from './read-upload.ts';
import { RejectedRows } from './rejected-rows.ts';

/** A file that a person sends: read as a feed's, and posted as records of the API are. It delists nothing. */

const BATCH = 500;

/** How a file is read: what we wrote beside its rejected rows is no field of a truck. */
export const toUploadSettings = (given: Pick<FeedPreview, 'dealer' | 'mapping'>): FeedPreview => ({
  ...given,
  mapping: { fix: null, ...given.mapping },
});

/** What a worker needs to know of a file that is to be listed. */
interface Listing extends Record<string, unknown> {
  given: FeedPreview;
  plan: FeedPlan;
  audit: AuditEntry;
}

/**
 * Reads a file, and lists its trucks after the answer. Throws INVALID_PAYLOAD where it cannot be read, and RATE_LIMITED when
 * the person has sent too many batches.
 */
export async function startUpload(ctx: Context, file: KeptFile, given: FeedPreview): Promise<void> {
  await countBatch(ctx);
  const { id } = requireAccount(ctx);
  const { read, plan } = await inPreviewSlot(ctx, async () => {
    const settings = toSettings(given);
    await requireDealer(ctx, settings.dealer);
    const read = await inReaderSlot(ctx, () => readUpload(ctx.ports, file.bytes, given));
    return { read, plan: readPlan(settings, read.columns, read.rows.slice(0, BATCH)) };
  });
  // What the other batches take keeps the next file waiting.
  for (let from = BATCH; from < read.rows.length; from += BATCH) await countBatch(ctx).catch(passRateLimit);
  const listing: Listing = { given, plan, audit: toAuditEntry(ctx, 'file.upload', file.name) };
  await queueUpload(ctx.ports.db, id, file.id, noRowsListed(read.rows.length), listing);
  ctx.after((ports) => workOff(ports, uploads, { accountId: id }));
}

const INPUT = { sourceProviderId: null, source: UPLOAD_SOURCE, dryRun: false, observedAt: null };

/** Workers that may vanish over a file. */
const MAX_CLAIMS = 3;

/** Lists files a batch at a time; the job's key is the file's. One whose worker was killed is listed again from its start. */
export const uploads: Work = {
  kind: 'upload',
  maxWorkers: 1,
  start: (ports, untilMs) => async (job) => {
    const { db } = ports;
    const { accountId, key } = job;
    if (job.tries > MAX_CLAIMS) {
      const state = await readUploadState(db, accountId, key);
      if (state !== null)
        await saveUpload(db, accountId, key, Object.assign({}, state.result, { isDone: true }));
      return { again: null, counts: { given_up: 1 } };
    }
    const file = await readUploadFile(db, accountId, key);
    // What `startUpload` enqueued.
    const listing = job.payload as Listing | null;
    if (file === null || listing === null) return { again: null, counts: {} };
    const { rows, columns } = await readUpload(ports, file.bytes, listing.given);
    const uploaded = noRowsListed(rows.length);
    const rejectedRows = new RejectedRows();
    for (let from = 0; from < rows.length && ports.clock.now() <= untilMs; from += BATCH) {
      const batch = rows.slice(from, from + BATCH);
      const trucks = await readRows(ports, batch, listing.plan);
      for (const row of await ingestRows(ports, accountId, trucks, INPUT))
        noteRow(uploaded, rejectedRows, row);
      uploaded.unsent -= batch.length;
      // Notes and sums are no trucks.
      uploaded.rows -= batch.length - trucks.length;
      await saveUpload(db, accountId, key, uploaded);
    }
    uploaded.isDone = true;
    const rejects = await rejectedRows.toCsv(columns);
    const { created, merged, rejected, unsent } = uploaded;
    const detail = { rows: rows.length - unsent, created, merged, rejected };
    return {
      again: null,
      counts: { listed: 1 },
      async save(bound) {
        await saveUpload(bound.db, accountId, key, uploaded, rejects);
        if (detail.rows > 0) await bound.audit.add({ ...listing.audit, detail });
      },
    };
  },
};

/** The rows of one write count as a batch of the API does. */
async function countBatch(ctx: Context): Promise<void> {
  const quota = toQuota('batches', requireAccount(ctx));
  const message = `More than ${quota.limit * BATCH} rows a minute: wait a minute, then upload the file again.`;
  await countUse(ctx, quota, ctx.principal?.keyId ?? '', message);
}

function passRateLimit(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'RATE_LIMITED')) throw error;
}

async function requireDealer(ctx: Context, slug: string | null): Promise<void> {
  if (slug === null || (await ctx.ports.dealers.of(requireAccount(ctx).id).get(slug)) !== null) return;
  throw invalid('dealer', 'the account has no such dealer', { received: slug });
}
