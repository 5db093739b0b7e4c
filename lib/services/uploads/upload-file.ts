import type { FeedPlan } from '../../domain/feed/feed-mapping.ts';
import { cut } from '../../domain/text/text.ts';
import { ApiError } from '../../errors.ts';
import type { RecordResult } from '../../pipeline/results.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';
import type { FeedReject } from '../../ports/feeds/feeds.ts';
import type { RecordSource } from '../../ports/issues/issues.ts';
import { toAuditEntry } from '../accounts/audited.ts';
import { type Context, invalid, requireAccount } from '../context.ts';
import { BUCKETS, countUse } from '../fair-use.ts';
import { inPreviewSlot } from '../feeds/preview-slots.ts';
import { type FeedPreview, toSettings } from '../feeds/preview-source.ts';
import { openFaultIssues, toFaultReject, toReject } from '../feeds/row-rejects.ts';
import { readPlan } from '../feeds/run/feed-plan.ts';
import { feedRecords, pairTruckRows } from '../feeds/run/feed-records.ts';
import { ingestListings } from '../inventory/ingest-listings.ts';
import { readUpload } from './read-upload.ts';

/** A file that a person sends: read as a feed's, and posted as records of the API are. It delists nothing. */

export interface Uploaded {
  /** Of the file. */
  rows: number;
  created: number;
  merged: number;
  unchanged: number;
  rejected: number;
  /** Sold or delisted by the file, and not on the list. */
  unlisted: number;
  /** Rows that the time did not suffice for. */
  unsent: number;
  /** The first ones. */
  rejects: (FeedReject & { stock_number: string | null })[];
  /** The first ones, of trucks that are listed all the same. */
  warnings: { line: number; vin: string; message: string }[];
}

const SOURCE: RecordSource = { id: 'upload', runNo: null, keepsIssues: true };
/** Rejects and warnings that are listed one by one. */
const MAX_SHOWN = 100;
const BATCH = 500;
/** Batches begin until then: a person waits for the answer. */
const WRITE_TIMEOUT_MS = 120_000;

/**
 * Lists the trucks of a file, a batch at a time. Throws INVALID_PAYLOAD where it cannot be read, and RATE_LIMITED when the
 * person has sent too many batches.
 */
export async function uploadFile(
  ctx: Context,
  { name, bytes }: { name: string; bytes: Uint8Array },
  given: FeedPreview,
): Promise<Uploaded> {
  await countBatch(ctx);
  return inPreviewSlot(ctx, async () => {
    const settings = toSettings(given);
    await requireDealer(ctx, settings.dealer);
    const { columns, rows } = await readUpload(ctx, bytes, given);
    const plan = readPlan(settings, columns, rows.slice(0, BATCH));
    return listRows(ctx, name, rows, plan);
  });
}

async function listRows(
  ctx: Context,
  name: string,
  rows: readonly FeedRow[],
  plan: FeedPlan,
): Promise<Uploaded> {
  const { clock, audit } = ctx.ports;
  const counts = { created: 0, merged: 0, unchanged: 0, rejected: 0, unlisted: 0 };
  const uploaded: Uploaded = { rows: rows.length, ...counts, unsent: rows.length, rejects: [], warnings: [] };
  const endMs = clock.now() + WRITE_TIMEOUT_MS;
  try {
    for (let from = 0; from < rows.length && clock.now() < endMs; from += BATCH) {
      // A file that has begun is listed to its end; what it took keeps the next one waiting.
      if (from > 0) await countBatch(ctx).catch(passRateLimit);
      const batch = rows.slice(from, from + BATCH);
      await postRows(ctx, batch, plan, uploaded);
      uploaded.unsent -= batch.length;
    }
    return uploaded;
  } finally {
    const { created, merged, rejected, unsent } = uploaded;
    const detail = { rows: rows.length - unsent, created, merged, rejected };
    if (detail.rows > 0) await audit.add(toAuditEntry(ctx, 'file.upload', name.slice(0, 200), detail));
  }
}

/** The rows of one write count as a batch of the API does. */
async function countBatch(ctx: Context): Promise<void> {
  const { limit_multiplier } = requireAccount(ctx);
  const quota = { ...BUCKETS.batches, limit: BUCKETS.batches.limit * limit_multiplier };
  const message = `More than ${quota.limit * BATCH} rows a minute: wait a minute, then upload the file again.`;
  await countUse(ctx, quota, ctx.principal?.keyId ?? '', message);
}

function passRateLimit(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'RATE_LIMITED')) throw error;
}

async function requireDealer(ctx: Context, slug: string | null): Promise<void> {
  if (slug === null || (await ctx.ports.dealers.of(requireAccount(ctx).id).get(slug)) !== null) return;
  throw invalid('dealer', 'the account has no such dealer');
}

async function postRows(
  ctx: Context,
  rows: readonly FeedRow[],
  plan: FeedPlan,
  uploaded: Uploaded,
): Promise<void> {
  const read = pairTruckRows(rows, await feedRecords(ctx.ports, rows, plan), plan);
  const sound = read.flatMap(({ row, record }) => (row.fault === null ? [record] : []));
  const input = { records: sound, source: SOURCE, dryRun: false, observedAt: null };
  const results = (await ingestListings(ctx, input)).values();
  await openFaultIssues(ctx.ports.listings.of(requireAccount(ctx).id), read, SOURCE, null);
  read.forEach(({ row, record }) => {
    const result = row.fault === null ? results.next().value : undefined;
    if (result?.kind === 'accepted') noteAccepted(uploaded, row.line, result);
    else if (result?.kind === 'rejected') noteRejected(uploaded, toReject(row, result), record);
    else if (result?.kind === 'not_found') uploaded.unlisted += 1;
    else if (!result) noteRejected(uploaded, toFaultReject(row, record), record);
  });
}

/** People find a truck of theirs by its stock number. */
function noteRejected(
  uploaded: Uploaded,
  reject: FeedReject,
  record: Readonly<Record<string, unknown>> | null | undefined,
): void {
  uploaded.rejected += 1;
  if (uploaded.rejects.length >= MAX_SHOWN) return;
  const stock = record?.stock_number;
  const isShown = typeof stock === 'string' || typeof stock === 'number';
  uploaded.rejects.push({ ...reject, stock_number: isShown ? cut(String(stock), 60) : null });
}

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;

function noteAccepted(uploaded: Uploaded, line: number, { outcome, vin, warnings }: Accepted): void {
  uploaded[outcome] += 1;
  const shown = warnings.slice(0, MAX_SHOWN - uploaded.warnings.length);
  uploaded.warnings.push(...shown.map(({ message }) => ({ line, vin, message })));
}
