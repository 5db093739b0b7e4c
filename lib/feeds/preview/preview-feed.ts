import type * as z from 'zod/mini';
import { FairQueue } from '../../db/fair-queue.ts';
import { ApiError } from '../../errors.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import type { Ports } from '../../ports.ts';
import type { FeedSettings } from '../feed.ts';
import { checkFeed, invalidFeed } from '../feed-checks.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';
import { toSettings } from '../feeds.ts';
import type { FeedPreviewBody } from '../schemas/feeds.ts';
import { describePreview } from './preview-answer.ts';

type FeedPreview = z.output<typeof FeedPreviewBody>;

/** Files that this process fetches and reads for people at a time, one of an account: each reader may take 320 MB. */
const READERS = new FairQueue(3, 1);
/** A caller waits for the answer: for its turn, for its server, and while its file is read. */
const TIMES_MS = { turn: 15_000, fetch: 60_000, read: 15_000 };

/** Reads a file, or the beginning of one, as this feed would, and stores nothing. Throws INVALID_PAYLOAD, RATE_LIMITED. */
export async function previewFeed(ctx: Context, body: FeedPreview, feedId?: string) {
  const { tempFiles } = ctx.ports;
  const feed = toSettings(ctx, body);
  const sources = (['url', 'sample', 'sample_base64'] as const).filter((name) => body[name] !== undefined);
  const [source] = sources;
  if (source === undefined || sources.length > 1)
    throw invalidFeed('url', 'a preview is of one file', 'Send one of url, sample and sample_base64.');
  const deadline = AbortSignal.timeout(TIMES_MS.turn);
  const answer = await READERS.runWithPlace(requireAccount(ctx).id, deadline, async () => {
    const file = await tempFiles.make();
    try {
      if (source === 'url') await fetchFile(ctx, feed, file.path);
      else
        await tempFiles.fill(file.path, [
          Buffer.from(body[source] ?? '', source === 'sample' ? 'utf8' : 'base64'),
        ]);
      return await describePreview(ctx, feed, await readHead(ctx.ports, file.path, feed), feedId);
    } catch (error) {
      throw error instanceof FeedFault ? toApiError(error, source) : error;
    } finally {
      await file.remove();
    }
  });
  if (answer !== null) return answer;
  throw new ApiError('RATE_LIMITED', 'Too many files are being read; wait for one to end.', {
    details: { reason: 'over_limit' },
    headers: { 'Retry-After': '15' },
  });
}

/** Fills the file at `path` with what the URL answers. */
async function fetchFile(ctx: Context, feed: FeedSettings, path: string) {
  const { settings, feedSource } = ctx.ports;
  await checkFeed(ctx, feed, { url: feed.url });
  const { maxBytes, fetchTimeoutMs, minFreeBytes } = settings.feeds;
  const timeoutMs = Math.min(TIMES_MS.fetch, fetchTimeoutMs);
  const anyFile = { etag: null, lastModified: null };
  await feedSource.fetch(feed, anyFile, path, { maxBytes, timeoutMs, minFreeBytes });
}

/** What the file says of itself, and the rows of its first part. */
async function readHead({ feedFiles }: Ports, path: string, feed: FeedSettings) {
  const { parts, ...head } = await feedFiles.open(path, feed, TIMES_MS.read);
  const rows: Awaited<ReturnType<typeof feedFiles.rows>> = [];
  let complete = true;
  for await (const { bytes } of parts()) {
    complete = rows.length === 0;
    if (!complete) break;
    rows.push(...(await feedFiles.rows([bytes])));
  }
  return { head, rows: rows.flat(), complete };
}

const FAULT_FIELDS: Partial<Readonly<Record<FeedFaultReason, keyof FeedPreview>>> = {
  auth_failed: 'password',
  private_key_unreadable: 'private_key',
  host_key_unknown: 'host_key_sha256',
  host_key_changed: 'host_key_sha256',
};

/** For faults of the dealer's file or server: says what to change. What is behind a URL may be mended meanwhile. */
function toApiError({ reason, message, fix }: FeedFault, source: string) {
  const field = FAULT_FIELDS[reason] ?? source;
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}`, {
    details: { field, reason, fix, retryable: source === 'url' },
  });
}
