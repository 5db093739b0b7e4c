import { FEED_LIMITS } from '../../contract/feeds/feed-fields.ts';
import type { FeedFormat, FeedProtocol } from '../../contract/feeds/feed-files.ts';
import type { FeedPlan } from '../../domain/feed/feed-mapping.ts';
import { flatten } from '../../domain/feed/flatten-row.ts';
import { cut } from '../../domain/text/text.ts';
import { ApiError } from '../../errors.ts';
import type { RecordResult } from '../../pipeline/results.ts';
import {
  FeedFault,
  type FeedFaultReason,
  type FeedRow,
  type OpenFeedFile,
} from '../../ports/feeds/feed-files.ts';
import type { FeedReject, FeedSettings } from '../../ports/feeds/feeds.ts';
import type { Context } from '../context.ts';
import { ingestListings } from '../inventory/ingest-listings.ts';
import { checkFeed, checkMapping, FEED_DEFAULTS, invalidFeed, parseProtocol } from './feed-checks.ts';
import { inPreviewSlot, inReaderSlot } from './preview-slots.ts';
import { readPlan } from './run/feed-plan.ts';
import { feedRecords } from './run/feed-records.ts';
import { toFaultReject, toReject } from './run/ingest-feed-chunk.ts';

type Given<T> = T | null | undefined;

export interface FeedPreview {
  url?: string | undefined;
  sample?: string | undefined;
  sample_base64?: string | undefined;
  protocol?: FeedProtocol | undefined;
  username?: Given<string>;
  password?: Given<string>;
  private_key?: Given<string>;
  host_key_sha256?: Given<string>;
  format?: Given<FeedFormat>;
  source_provider_id?: Given<string>;
  dealer?: Given<string>;
  mapping?: Given<Record<string, string | null>>;
  defaults?: Record<string, unknown> | undefined;
  class_from_vin?: boolean | undefined;
  zero_price_is_call?: boolean | undefined;
}

/** Reads a file, or the beginning of one, as a feed would, and stores nothing. Throws INVALID_PAYLOAD. */
export function previewFeed(ctx: Context, body: FeedPreview) {
  return inPreviewSlot(ctx, () => readPreview(ctx, body));
}

async function readPreview(ctx: Context, body: FeedPreview) {
  const { ports } = ctx;
  const feed = toSettings(body);
  const file = await ports.tempFiles.make();
  try {
    await writeFile(ctx, body, feed, file.path);
    const { opened, rows, complete } = await inReaderSlot(ctx, async () => {
      const opened = await ports.feedFiles.open(file.path, feed.format, null, READ_TIMEOUT_MS);
      return { opened, ...(await firstRows(opened)) };
    });
    return await summarize(ctx, feed, opened, rows, complete);
  } catch (error) {
    throw error instanceof FeedFault ? toApiError(error, body) : error;
  } finally {
    await file.remove();
  }
}

function toSettings(body: FeedPreview): FeedSettings {
  const url = body.url ?? '';
  const sent = Object.entries(body).filter(([name, value]) => name in FEED_DEFAULTS && value !== undefined);
  return {
    ...FEED_DEFAULTS,
    name: 'preview',
    url,
    protocol: body.protocol ?? parseProtocol(url),
    cadence_minutes: 60,
    ...Object.fromEntries(sent),
  };
}

/** A caller waits for the answer. */
const FETCH_TIMEOUT_MS = 60_000;
/** For opening the file, and for its first rows. */
const READ_TIMEOUT_MS = 15_000;

async function writeFile(
  { ports }: Context,
  body: FeedPreview,
  feed: FeedSettings,
  path: string,
): Promise<void> {
  const { url, sample, sample_base64: base64 } = body;
  if ([url, sample, base64].filter((given) => given !== undefined).length !== 1)
    throw invalidFeed('url', 'send one of url, sample and sample_base64', 'Leave out the other two.');
  if (url === undefined) {
    checkMapping(feed.mapping);
    const bytes = base64 === undefined ? Buffer.from(sample ?? '', 'utf8') : Buffer.from(base64, 'base64');
    await ports.tempFiles.fill(path, onePiece(bytes));
    return;
  }
  checkFeed(feed, ports.settings);
  const { protocol, username, password, private_key: privateKey, host_key_sha256: hostKeySha256 } = feed;
  const { maxBytes, fetchTimeoutMs } = ports.settings.feeds;
  await ports.feedSource.fetch(
    { protocol, url, username, password, privateKey, hostKeySha256 },
    { etag: null, lastModified: null },
    path,
    { maxBytes, timeoutMs: Math.min(FETCH_TIMEOUT_MS, fetchTimeoutMs) },
  );
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function firstRows(file: OpenFeedFile): Promise<{ rows: FeedRow[]; complete: boolean }> {
  let rows: FeedRow[] | undefined;
  for await (const chunk of file.chunks(FEED_LIMITS.previewRows)) {
    if (rows) return { rows, complete: false };
    ({ rows } = chunk);
  }
  return { rows: rows ?? [], complete: true };
}

async function summarize(
  ctx: Context,
  feed: FeedSettings,
  file: OpenFeedFile,
  rows: readonly FeedRow[],
  complete: boolean,
) {
  const plan = readPlan(feed, file.columns, rows);
  const records = await feedRecords(ctx.ports, rows, plan);
  const sound = rows.flatMap(({ fault }, index) => (fault === null ? [records[index]] : []));
  const ingested = await ingestListings(ctx, {
    records: sound,
    sourceProviderId: feed.source_provider_id ?? undefined,
    dryRun: true,
    observedAt: ctx.ports.clock.now(),
  });
  let next = 0;
  const results = rows.map((row, index) => {
    const result = row.fault === null ? ingested[next++] : undefined;
    return result ? toRowResult(row, result) : toRejectedRow(toFaultReject(row, records[index] ?? null));
  });
  const rejects = results.filter((each) => each.outcome === 'rejected');
  const rejectsByCode: Record<string, number> = {};
  for (const { code } of rejects) rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
  const { format, compression, encoding, delimiter, entry } = file;
  return {
    ...{ format, compression, encoding, delimiter, entry, layout: plan.layout },
    columns: describeColumns(plan, rows),
    records: records
      .flatMap((record) => (record === null ? [] : [record]))
      .slice(0, FEED_LIMITS.previewRecords)
      .map(shortenRecord),
    verdict: {
      ...{ rows: rows.length, complete, accepted: results.length - rejects.length, rejected: rejects.length },
      rejects_by_code: rejectsByCode,
      results: [...rejects, ...results.filter((each) => each.outcome !== 'rejected')]
        .slice(0, FEED_LIMITS.previewResults)
        .sort((one, other) => one.line - other.line),
    },
  };
}

function toRowResult(row: FeedRow, result: RecordResult) {
  if (result.kind === 'rejected') return toRejectedRow(toReject(row, result));
  if (result.kind === 'not_found') throw new Error('a feed lists what it names');
  const { outcome, vin, warnings } = result;
  return { line: row.line, outcome, vin, warnings };
}

const toRejectedRow = (reject: FeedReject) => ({ outcome: 'rejected' as const, ...reject });

const MAX_EXAMPLES = 3;

function describeColumns(plan: FeedPlan, rows: readonly FeedRow[]) {
  const examples = new Map<string, unknown[]>();
  for (const { fields } of rows.slice(0, 50))
    for (const [column, value] of flatten(fields ?? {})) {
      const some = examples.get(column) ?? [];
      examples.set(column, some);
      if (value !== null && value !== '' && some.length < MAX_EXAMPLES) some.push(shorten(value));
    }
  return plan.columns.map(({ column, field, kept, confidence }) => ({
    ...{ column, field, kept, confidence },
    examples: examples.get(column) ?? [],
  }));
}

const MAX_TEXT = 300;
const MAX_ITEMS = 20;

function shortenRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shorten(value)]));
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${cut(value, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten);
  return typeof value === 'object' && value !== null ? shortenRecord({ ...value }) : value;
}

const FAULT_FIELDS: Partial<Readonly<Record<FeedFaultReason, keyof FeedPreview>>> = {
  auth_failed: 'password',
  private_key_unreadable: 'private_key',
  host_key_unknown: 'host_key_sha256',
  host_key_changed: 'host_key_sha256',
};

/** For faults of the dealer's file or server: says what to change. */
function toApiError({ reason, message, fix, transient }: FeedFault, body: FeedPreview): ApiError {
  const given = body.url !== undefined ? 'url' : body.sample !== undefined ? 'sample' : 'sample_base64';
  const field = FAULT_FIELDS[reason] ?? given;
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}`, {
    details: { field, reason, message, fix, transient },
  });
}
