import type * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';
import type { Context } from '../../services/context.ts';
import { FEED_DEFAULTS, type FeedSettings } from '../feed.ts';
import { checkFeed, invalidFeed, parseProtocol } from '../feed-checks.ts';
import type { FeedFault, FeedFaultReason } from '../feed-faults.ts';
import type { FeedPreviewBody } from '../schemas/feeds.ts';

/** The file that a preview reads: where it is, and what is wrong with that. */

export type FeedPreview = z.output<typeof FeedPreviewBody>;

/** The settings of the feed that this would be. */
export function toSettings(body: FeedPreview): FeedSettings {
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

/** Fills the file at `path` with the sample, or with what the URL answers. */
export async function fetchPreviewFile(
  ctx: Context,
  body: FeedPreview,
  feed: FeedSettings,
  path: string,
): Promise<void> {
  const { ports } = ctx;
  const { url, sample, sample_base64: base64 } = body;
  const given = [url, sample, base64].filter((each) => each !== undefined).length;
  if (given !== 1)
    throw invalidFeed(
      'url',
      given === 0 ? 'no file was sent' : 'more than one file was sent',
      'Send one of url, sample and sample_base64.',
      { reason: given === 0 ? 'missing' : 'conflicting' },
    );
  if (url === undefined) {
    const bytes = base64 === undefined ? Buffer.from(sample ?? '', 'utf8') : Buffer.from(base64, 'base64');
    await ports.tempFiles.fill(path, [bytes]);
    return;
  }
  await checkFeed(ctx, feed, { url });
  const { protocol, username, password, private_key: privateKey, host_key_sha256: hostKeySha256 } = feed;
  const { maxBytes, fetchTimeoutMs, minFreeBytes } = ports.settings.feeds;
  await ports.feedSource.fetch(
    { protocol, url, username, password, privateKey, hostKeySha256 },
    { etag: null, lastModified: null },
    path,
    { maxBytes, timeoutMs: Math.min(FETCH_TIMEOUT_MS, fetchTimeoutMs), minFreeBytes },
  );
}

const FAULT_FIELDS: Partial<Readonly<Record<FeedFaultReason, keyof FeedPreview>>> = {
  auth_failed: 'password',
  private_key_unreadable: 'private_key',
  host_key_unknown: 'host_key_sha256',
  host_key_changed: 'host_key_sha256',
};

/** For faults of the dealer's file or server: says what to change. */
export function toApiError({ reason, message, fix, transient }: FeedFault, body: FeedPreview): ApiError {
  const given = body.url !== undefined ? 'url' : body.sample !== undefined ? 'sample' : 'sample_base64';
  const field = FAULT_FIELDS[reason] ?? given;
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}`, {
    details: { field, reason, fix, retryable: transient },
  });
}
