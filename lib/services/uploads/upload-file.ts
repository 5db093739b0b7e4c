import { ApiError } from '../../errors.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';
import type { KeptFile } from '../../ports/feeds/uploads.ts';
import { toAuditEntry } from '../accounts/audited.ts';
import { type Context, invalid, requireAccount } from '../context.ts';
import { countUse, toQuota } from '../fair-use.ts';
import { inPreviewSlot } from '../feeds/preview-slots.ts';
import { type FeedPreview, toSettings } from '../feeds/preview-source.ts';
import { readPlan } from '../feeds/run/feed-plan.ts';
import { type DescribeReject, RowLister } from './list-rows.ts';
import { type ReadFile, readUpload } from './read-upload.ts';

/** A file that a person sends: read as a feed's, and posted as records of the API are. It delists nothing. */

const BATCH = 500;
/** Batches begin until then, as long as the platform lets a function work after its answer. */
const WRITE_TIMEOUT_MS = 120_000;

/** How a file is read: what we wrote beside its rejected rows is no field of a truck. */
export const toUploadSettings = (given: Pick<FeedPreview, 'dealer' | 'mapping'>): FeedPreview => ({
  ...given,
  mapping: { fix: null, ...given.mapping },
});

/**
 * Reads a file, and lists its trucks after the answer, a batch at a time. Throws INVALID_PAYLOAD where it cannot be read,
 * and RATE_LIMITED when the person has sent too many batches.
 */
export async function startUpload(
  ctx: Context,
  file: KeptFile,
  given: FeedPreview,
  describe: DescribeReject,
): Promise<void> {
  await countBatch(ctx);
  const { read, plan } = await inPreviewSlot(ctx, async () => {
    const settings = toSettings(given);
    await requireDealer(ctx, settings.dealer);
    const read = await readUpload(ctx, file.bytes, given);
    return { read, plan: readPlan(settings, read.columns, read.rows.slice(0, BATCH)) };
  });
  const lister = new RowLister(ctx, read.rows.length, { plan, describe });
  await ctx.ports.uploads.of(requireAccount(ctx).id).save(file.id, lister.uploaded);
  ctx.after(() => listFile(ctx, file, read, lister));
}

async function listFile(
  ctx: Context,
  file: KeptFile,
  { rows, columns }: ReadFile,
  lister: RowLister,
): Promise<void> {
  const { clock, audit, uploads } = ctx.ports;
  const own = uploads.of(requireAccount(ctx).id);
  const { uploaded } = lister;
  const endMs = clock.now() + WRITE_TIMEOUT_MS;
  try {
    for (let from = 0; from < rows.length && clock.now() < endMs; from += BATCH) {
      await listBatch(ctx, lister, rows.slice(from, from + BATCH), from === 0);
      await own.save(file.id, uploaded);
    }
  } finally {
    uploaded.isDone = true;
    await own.save(file.id, uploaded, await lister.rejectedRows.toCsv(columns));
    const { created, merged, rejected, unsent } = uploaded;
    const detail = { rows: rows.length - unsent, created, merged, rejected };
    if (detail.rows > 0) await audit.add(toAuditEntry(ctx, 'file.upload', file.name, detail));
  }
}

/** A file that has begun is listed to its end; what it took keeps the next one waiting. */
async function listBatch(
  ctx: Context,
  lister: RowLister,
  rows: readonly FeedRow[],
  isFirst: boolean,
): Promise<void> {
  if (!isFirst) await countBatch(ctx).catch(passRateLimit);
  await lister.list(rows);
}

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
