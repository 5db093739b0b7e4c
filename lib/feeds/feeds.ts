import { received } from '../domain/text/text.ts';
import { Unavailable } from '../ports/faults.ts';
import type { Ports } from '../ports/ports.ts';
import { audited } from '../services/accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../services/context.ts';
import { newId } from '../services/new-id.ts';
import { type PageInput, startPage, toPage } from '../services/page.ts';
import { sealSecret } from '../services/seal-secret.ts';
import type { Feed, FeedChange, FeedSettings } from './feed.ts';
import {
  checkCadence,
  checkFeed,
  checkReachable,
  checkStoredSecrets,
  FEED_DEFAULTS,
  invalidFeed,
  parseProtocol,
  secretAbout,
} from './feed-checks.ts';
import { listChanges } from './queries/feed-changes.ts';
import * as queries from './queries/feeds.ts';
import { removeRaw } from './raw-files.ts';
import { FEED_LIMITS, type FeedChangeKind } from './schemas/feed-fields.ts';

/** Feeds as resources, and their runs. */

const MEMBERS = [
  'name',
  'url',
  'protocol',
  'cadence_minutes',
  ...Object.keys(FEED_DEFAULTS),
] as (keyof FeedSettings)[];

/** Only the feed's own members, only those sent. */
function pickMembers(body: FeedChange & Readonly<Record<string, unknown>>): Partial<FeedSettings> {
  return Object.fromEntries(
    MEMBERS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

/** Makes a feed; its secrets are sealed before they are stored. Throws INVALID_PAYLOAD. */
export async function createFeed(ctx: Context, body: FeedChange & { name: string; url: string }) {
  const { ports } = ctx;
  const account = requireAccount(ctx);
  const feed: FeedSettings = {
    ...FEED_DEFAULTS,
    protocol: parseProtocol(body.url),
    cadence_minutes: Math.max(60, account.min_feed_cadence_minutes),
    ...pickMembers(body),
    name: body.name,
    url: body.url,
  };
  checkFeed(feed, ports.settings);
  await checkReachable(ports, feed.url);
  checkCadence(feed.cadence_minutes, account.min_feed_cadence_minutes, ports.settings.salesEmail);
  const id = newId(ports, 'feed');
  const sealed = await sealSecrets(ports, secretAbout(account.id, id), feed);
  const maxFeeds = FEED_LIMITS.perAccount[account.tier];
  const act = { action: 'feed.create', target: id, detail: { name: feed.name } };
  return audited(ctx, act, async (own) => {
    const created = await queries.insertFeed(own.ports.db, account.id, id, sealed, maxFeeds);
    if (created === 'too_many') throw tooManyFeeds(account.tier, maxFeeds, ports.settings.salesEmail);
    return toResponse(created, feed.dealer);
  });
}

/** Changes the members that are sent; null clears one. Throws INVALID_PAYLOAD, NOT_FOUND. */
export async function changeFeed(ctx: Context, id: string, body: FeedChange) {
  const { ports } = ctx;
  const account = requireAccount(ctx);
  const before = await queries.readFeed(ports.db, account.id, id);
  if (before === null) throw notFound('feed');
  const change = pickMembers(body);
  if (change.url !== undefined) change.protocol ??= parseProtocol(change.url);
  checkFeed({ ...asSettings(before), ...change }, ports.settings);
  if (change.url !== undefined) await checkReachable(ports, change.url);
  checkStoredSecrets(before, change);
  if (change.cadence_minutes !== undefined)
    checkCadence(change.cadence_minutes, account.min_feed_cadence_minutes, ports.settings.salesEmail);
  const sealed = await sealSecrets(ports, secretAbout(account.id, id), change);
  const act = {
    action: toAction(change),
    target: id,
    detail: { name: before.name, fields: Object.keys(change) },
  };
  return audited(ctx, act, async (own) =>
    toResponse(await queries.updateFeed(own.ports.db, account.id, id, sealed), change.dealer),
  );
}

function toAction({ enabled, ...others }: Partial<FeedSettings>): string {
  if (enabled === undefined || Object.keys(others).length > 0) return 'feed.change';
  return enabled ? 'feed.resume' : 'feed.pause';
}

function tooManyFeeds(tier: string, maxFeeds: number, salesEmail: string) {
  return invalidFeed(
    'name',
    `the ${tier} tier has at most ${maxFeeds} feeds`,
    `Delete a feed that is no longer needed, or write to ${salesEmail}.`,
  );
}

function toResponse(feed: Feed | 'unknown_dealer' | null, dealer?: string | null) {
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

/** For checking a change: a stored secret is only reported as present. */
function asSettings({ has_password, has_private_key, ...feed }: Feed): FeedSettings {
  return {
    ...feed,
    password: has_password ? 'stored' : null,
    private_key: has_private_key ? 'stored' : null,
  };
}

export async function readFeed(ctx: Context, id: string) {
  return toResponse(await queries.readFeed(ctx.ports.db, requireAccount(ctx).id, id));
}

export async function listFeeds(ctx: Context, page: PageInput) {
  const feeds = await queries.listFeeds(ctx.ports.db, requireAccount(ctx).id, startPage(page));
  const { items, next_cursor } = toPage(feeds, page.limit, ({ id }) => id);
  return { feeds: items, next_cursor };
}

/** Deletes a feed with its runs; its listings stay. */
export async function removeFeed(ctx: Context, id: string): Promise<void> {
  const accountId = requireAccount(ctx).id;
  const feed = await queries.readFeed(ctx.ports.db, accountId, id);
  if (feed === null) throw notFound('feed');
  const act = { action: 'feed.remove', target: id, detail: { name: feed.name } };
  const left = await audited(ctx, act, async ({ ports }) => {
    const files = await queries.deleteFeed(ports.db, accountId, id);
    if (files === null) throw notFound('feed');
    return files;
  });
  for (const raw of left)
    await removeRaw(ctx.ports.objects, raw).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
}

export async function listFeedRuns(ctx: Context, feedId: string, page: PageInput) {
  const { id: accountId } = requireAccount(ctx);
  const { db } = ctx.ports;
  const runs = await queries.listRuns(db, accountId, feedId, startPage(page), FEED_LIMITS.rejectsListed);
  if (runs === null) throw notFound('feed');
  const { items, next_cursor } = toPage(runs, page.limit, ({ id }) => id);
  return { runs: items, next_cursor };
}

export async function readFeedRun(ctx: Context, feedId: string, runId: string) {
  const run = await queries.readRun(
    ctx.ports.db,
    requireAccount(ctx).id,
    feedId,
    runId,
    FEED_LIMITS.rejectsReturned,
  );
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
  const found = await listChanges(
    ctx.ports.db,
    requireAccount(ctx).id,
    id,
    run,
    kind,
    startPage(page, CHANGE),
  );
  if (found === null) throw notFound('run');
  const { items, next_cursor } = toPage(found, page.limit, ({ key }) => key);
  return { changes: items.map(({ key, ...change }) => change), next_cursor };
}
