import { received } from '../domain/text/text.ts';
import type { Ports } from '../ports/ports.ts';
import { audited } from '../services/accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../services/context.ts';
import { newId } from '../services/new-id.ts';
import { type PageInput, startPage, toPage } from '../services/page.ts';
import { sealSecret } from '../services/seal-secret.ts';
import { FEED_DEFAULTS, type Feed, type FeedChange, type FeedSettings } from './feed.ts';
import {
  checkCadence,
  checkFeed,
  checkReachable,
  checkStoredSecrets,
  invalidFeed,
  parseProtocol,
  secretAbout,
} from './feed-checks.ts';
import { listChanges } from './queries/feed-changes.ts';
import * as queries from './queries/feeds.ts';
import { dropRaw } from './raw-files.ts';
import { FEED_LIMITS, type FeedChangeKind } from './schemas/feed-fields.ts';
import { FeedMembers } from './schemas/feeds.ts';

/** Feeds as resources, and their runs. */

/** Only the feed's own members, only those sent. */
function pickMembers(body: FeedChange): Partial<FeedSettings> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name in FeedMembers.shape && value !== undefined),
  );
}

/** Makes a feed; its secrets are sealed before they are stored. Throws INVALID_PAYLOAD. */
export async function createFeed(ctx: Context, body: FeedChange & { name: string; url: string }) {
  const { ports } = ctx;
  const account = requireAccount(ctx);
  const { name, url } = body;
  const feed: FeedSettings = {
    ...FEED_DEFAULTS,
    protocol: parseProtocol(url),
    cadence_minutes: Math.max(60, account.min_feed_cadence_minutes),
    ...pickMembers(body),
    name,
    url,
  };
  checkFeed(feed);
  await checkReachable(ports, url);
  checkCadence(ctx, feed.cadence_minutes);
  const id = newId(ports, 'feed');
  const sealed = await sealSecrets(ports, secretAbout(account.id, id), feed);
  const maxFeeds = FEED_LIMITS.perAccount[account.tier];
  return audited(ctx, { action: 'feed.create', target: id, detail: { name } }, async (own) => {
    const created = await queries.insertFeed(own.ports.db, account.id, id, sealed, maxFeeds);
    if (created !== 'too_many') return toFound(created, feed.dealer);
    const fix = `Delete a feed that is no longer needed, or write to ${ports.settings.salesEmail}.`;
    throw invalidFeed('name', `the ${account.tier} tier has at most ${maxFeeds} feeds`, fix);
  });
}

/** Changes the members that are sent; null clears one. Throws INVALID_PAYLOAD, NOT_FOUND. */
export async function changeFeed(ctx: Context, id: string, body: FeedChange) {
  const { ports } = ctx;
  const accountId = requireAccount(ctx).id;
  const before = await readFeed(ctx, id);
  const change = pickMembers(body);
  if (change.url !== undefined) change.protocol ??= parseProtocol(change.url);
  // For the checks: a stored secret is only reported as present.
  const stored = {
    password: before.has_password ? '' : null,
    private_key: before.has_private_key ? '' : null,
  };
  checkFeed({ ...before, ...stored, ...change });
  if (change.url !== undefined) await checkReachable(ports, change.url);
  checkStoredSecrets(before, change);
  checkCadence(ctx, change.cadence_minutes);
  const sealed = await sealSecrets(ports, secretAbout(accountId, id), change);
  const fields = Object.keys(change);
  const act = { action: toAction(fields, change), target: id, detail: { name: before.name, fields } };
  return audited(ctx, act, async (own) =>
    toFound(await queries.updateFeed(own.ports.db, accountId, id, sealed), change.dealer),
  );
}

function toAction(fields: readonly string[], { enabled }: Partial<FeedSettings>): string {
  if (enabled === undefined || fields.length > 1) return 'feed.change';
  return enabled ? 'feed.resume' : 'feed.pause';
}

function toFound(feed: Feed | 'unknown_dealer' | null, dealer?: string | null): Feed {
  if (feed === null) throw notFound('feed');
  if (feed !== 'unknown_dealer') return feed;
  const fix = 'Create it with POST /v1/dealers first.';
  throw invalidFeed('dealer', 'the account has no such dealer', fix, { received: received(dealer) });
}

async function sealSecrets<Change extends Partial<FeedSettings>>(
  ports: Pick<Ports, 'secrets' | 'settings'>,
  about: string,
  change: Change,
): Promise<Change> {
  const sealed = { ...change };
  for (const field of ['password', 'private_key'] as const) {
    const text = change[field];
    if (text != null) sealed[field] = await sealSecret(ports, { field, text, about });
  }
  return sealed;
}

/** What queries take first. */
const own = (ctx: Context) => [ctx.ports.db, requireAccount(ctx).id] as const;

export async function readFeed(ctx: Context, id: string) {
  return toFound(await queries.readFeed(...own(ctx), id));
}

export async function listFeeds(ctx: Context, page: PageInput) {
  const feeds = await queries.listFeeds(...own(ctx), startPage(page));
  const { items, next_cursor } = toPage(feeds, page.limit, ({ id }) => id);
  return { feeds: items, next_cursor };
}

/** Deletes a feed with its runs; its listings stay. */
export async function removeFeed(ctx: Context, id: string): Promise<void> {
  const { name } = await readFeed(ctx, id);
  const left = await audited(ctx, { action: 'feed.remove', target: id, detail: { name } }, async (bound) => {
    const files = await queries.deleteFeed(...own(bound), id);
    if (files === null) throw notFound('feed');
    return files;
  });
  await dropRaw(ctx.ports, left);
}

export async function listFeedRuns(ctx: Context, feedId: string, page: PageInput) {
  const runs = await queries.listRuns(...own(ctx), feedId, startPage(page), FEED_LIMITS.rejectsListed);
  if (runs === null) throw notFound('feed');
  const { items, next_cursor } = toPage(runs, page.limit, ({ id }) => id);
  return { runs: items, next_cursor };
}

export async function readFeedRun(ctx: Context, feedId: string, runId: string) {
  const run = await queries.readRun(...own(ctx), feedId, runId, FEED_LIMITS.rejectsReturned);
  if (run === null) throw notFound('run');
  return run;
}

/** Dedup hash and version. */
const CHANGE = /^[0-9a-f]{64}(?:\.\d{1,9})?$/;

/** Trucks that a run changed in this way, a page at a time. */
export async function listRunChanges(
  ctx: Context,
  { id, run }: { id: string; run: string },
  { kind, ...page }: PageInput & { kind: FeedChangeKind },
) {
  const found = await listChanges(...own(ctx), id, run, kind, startPage(page, CHANGE));
  if (found === null) throw notFound('run');
  const { items, next_cursor } = toPage(found, page.limit, ({ key }) => key);
  return { changes: items.map(({ key, ...change }) => change), next_cursor };
}
