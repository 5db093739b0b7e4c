import { FEED_LIMITS } from '../../contract/feeds/feed-fields.ts';
import type { FeedFormat, FeedProtocol } from '../../contract/feeds/feed-files.ts';
import type { FeedPlan } from '../../domain/feed/feed-mapping.ts';
import { flatten } from '../../domain/feed/feed-record.ts';
import { cut } from '../../domain/text/text.ts';
import { ApiError } from '../../errors.ts';
import type { RecordResult } from '../../pipeline/pipeline.ts';
import { FeedFault, type FeedFaultReason, type FeedRow, type OpenFeedFile } from '../../ports/feed-files.ts';
import type { FeedReject, FeedSettings } from '../../ports/feeds.ts';
import type { Context } from '../context.ts';
import { ingestListings } from '../inventory/ingest-listings.ts';
import { checkFeed, checkMapping, feedFault, protocolOf } from './feed-checks.ts';
import { planOf } from './feed-plan.ts';
import { feedRecords } from './feed-records.ts';
import { faultOf, rejectOf } from './ingest-feed-chunk.ts';

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
export async function previewFeed(ctx: Context, body: FeedPreview) {
  const { ports } = ctx;
  const feed = settingsOf(body);
  const file = await ports.tempFiles.make();
  try {
    await fill(ctx, body, feed, file.path);
    const opened = await ports.feedFiles.open(file.path, feed.format, null);
    const { rows, complete } = await firstRows(opened);
    return await judged(ctx, feed, opened, rows, complete);
  } catch (error) {
    throw error instanceof FeedFault ? refusal(error, body) : error;
  } finally {
    await file.remove();
  }
}

function settingsOf(body: FeedPreview): FeedSettings {
  const url = body.url ?? '';
  return {
    name: 'preview',
    dealer: body.dealer ?? null,
    protocol: body.protocol ?? protocolOf(url),
    url,
    username: body.username ?? null,
    password: body.password ?? null,
    private_key: body.private_key ?? null,
    host_key_sha256: body.host_key_sha256 ?? null,
    format: body.format ?? null,
    source_provider_id: body.source_provider_id ?? null,
    mapping: body.mapping ?? null,
    defaults: body.defaults ?? {},
    class_from_vin: body.class_from_vin ?? false,
    zero_price_is_call: body.zero_price_is_call ?? true,
    cadence_minutes: 60,
    misses_before_delist: 1,
    enabled: false,
  };
}

/** A caller waits for the answer. */
const FETCH_MS = 60_000;

async function fill({ ports }: Context, body: FeedPreview, feed: FeedSettings, path: string): Promise<void> {
  const { url, sample, sample_base64: base64 } = body;
  if ([url, sample, base64].filter((given) => given !== undefined).length !== 1)
    throw feedFault('url', 'send one of url, sample and sample_base64', 'Leave out the other two.');
  if (url === undefined) {
    checkMapping(feed.mapping);
    const bytes = base64 === undefined ? Buffer.from(sample ?? '', 'utf8') : Buffer.from(base64, 'base64');
    await ports.tempFiles.fill(path, pieceOf(bytes));
    return;
  }
  checkFeed(feed, ports.settings);
  const { protocol, username, password, private_key: privateKey, host_key_sha256: hostKeySha256 } = feed;
  const { maxBytes, fetchTimeoutMs } = ports.settings.feeds;
  await ports.feedSource.fetch(
    { protocol, url, username, password, privateKey, hostKeySha256 },
    { etag: null, lastModified: null },
    path,
    { maxBytes, timeoutMs: Math.min(FETCH_MS, fetchTimeoutMs) },
  );
}

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
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

async function judged(
  ctx: Context,
  feed: FeedSettings,
  file: OpenFeedFile,
  rows: readonly FeedRow[],
  complete: boolean,
) {
  const plan = planOf(feed, file.columns, rows);
  const records = await feedRecords(ctx.ports, rows, plan);
  const sound = rows.flatMap(({ fault }, index) => (fault === null ? [records[index]] : []));
  const results = await ingestListings(ctx, {
    records: sound,
    sourceProviderId: feed.source_provider_id ?? undefined,
    dryRun: true,
    observedAt: null,
  });
  let next = 0;
  const told = rows.map((row, index) => {
    const result = row.fault === null ? results[next++] : undefined;
    return result ? toldResult(row, result) : toldReject(faultOf(row, records[index] ?? null));
  });
  const rejects = told.filter((each) => each.outcome === 'rejected');
  const rejectsByCode: Record<string, number> = {};
  for (const { code } of rejects) rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
  const { format, compression, encoding, delimiter, entry } = file;
  return {
    ...{ format, compression, encoding, delimiter, entry, layout: plan.layout },
    columns: toldColumns(plan, rows),
    records: records
      .flatMap((record) => (record === null ? [] : [record]))
      .slice(0, FEED_LIMITS.previewRecords)
      .map(shortened),
    verdict: {
      ...{ rows: rows.length, complete, accepted: told.length - rejects.length, rejected: rejects.length },
      rejects_by_code: rejectsByCode,
      results: [...rejects, ...told.filter((each) => each.outcome !== 'rejected')]
        .slice(0, FEED_LIMITS.previewResults)
        .sort((one, other) => one.line - other.line),
    },
  };
}

function toldResult(row: FeedRow, result: RecordResult) {
  if (result.kind === 'rejected') return toldReject(rejectOf(row, result));
  const { outcome, vin, warnings } = result;
  return { line: row.line, outcome, vin, warnings };
}

const toldReject = (reject: FeedReject) => ({ outcome: 'rejected' as const, ...reject });

const MOST_EXAMPLES = 3;

function toldColumns(plan: FeedPlan, rows: readonly FeedRow[]) {
  const examples = new Map<string, unknown[]>();
  for (const { fields } of rows.slice(0, 50))
    for (const [column, value] of flatten(fields ?? {})) {
      const some = examples.get(column) ?? [];
      examples.set(column, some);
      if (value !== null && value !== '' && some.length < MOST_EXAMPLES) some.push(shorter(value));
    }
  return plan.columns.map(({ column, field, kept, confidence }) => ({
    ...{ column, field, kept, confidence },
    examples: examples.get(column) ?? [],
  }));
}

const LONGEST = 300;
const MOST_ITEMS = 20;

function shortened(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shorter(value)]));
}

function shorter(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST ? `${cut(value, LONGEST)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shorter);
  return typeof value === 'object' && value !== null ? shortened({ ...value }) : value;
}

const FIELD_OF: Partial<Readonly<Record<FeedFaultReason, keyof FeedPreview>>> = {
  auth_failed: 'password',
  private_key_unreadable: 'private_key',
  host_key_unknown: 'host_key_sha256',
  host_key_changed: 'host_key_sha256',
};

/** The dealer's file or server is at fault: the caller hears what to change. */
function refusal({ reason, message, fix, transient }: FeedFault, body: FeedPreview): ApiError {
  const given = body.url !== undefined ? 'url' : body.sample !== undefined ? 'sample' : 'sample_base64';
  const field = FIELD_OF[reason] ?? given;
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}`, {
    details: { field, reason, message, fix, transient },
  });
}
