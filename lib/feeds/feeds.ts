import { audited, listChangedFields } from '../accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/keyset.ts';
import { newId } from '../outside/new-id.ts';
import { sealSecret } from '../outside/secrets/seal-secret.ts';
import { toReceivedValue } from '../truck/text/text.ts';
import { FEED_DEFAULTS, type FeedChange, type FeedSettings } from './feed.ts';
import { checkFeed, checkStoredSecrets, invalidFeed, parseProtocol, secretAbout } from './feed-checks.ts';
import { listChanges } from './queries/feed-changes.ts';
import * as queries from './queries/feeds.ts';
import { listRuns, readRun } from './queries/runs.ts';
import { FEED_LIMITS, type FeedChangeKind } from './schemas/feed-fields.ts';

/** Feeds as resources, and their runs. */

/** The feed that a body makes. */
export function toSettings(ctx: Context, body: FeedChange): FeedSettings {
  const { url = '' } = body;
  return {
    ...FEED_DEFAULTS,
    name: '',
    url,
    protocol: parseProtocol(url),
    cadence_minutes: Math.max(60, requireAccount(ctx).min_feed_cadence_minutes),
    ...(body as Partial<FeedSettings>),
  };
}

/** Makes a feed; its secrets are sealed before they are stored. Throws INVALID_PAYLOAD. */
export async function createFeed(ctx: Context, body: FeedChange & { name: string; url: string }) {
  const { tier } = requireAccount(ctx);
  const feed = toSettings(ctx, body);
  await checkFeed(ctx, feed, feed);
  const id = newId(ctx.ports, 'feed');
  await sealSecrets(ctx, id, feed);
  const maxFeeds = FEED_LIMITS.perAccount[tier];
  const act = { action: 'feed.create', target: id, detail: { name: feed.name } };
  return audited(ctx, act, async (bound) => {
    await requireDealer(bound, feed.dealer);
    if (await queries.insertFeed(...toQueryScope(bound), id, feed, maxFeeds)) return readFeed(bound, id);
    const fix = `Delete a feed that is no longer needed, or write to ${ctx.ports.settings.salesEmail}.`;
    throw invalidFeed('name', `the ${tier} tier has at most ${maxFeeds} feeds`, fix);
  });
}

/** Changes the members that are sent; null clears one. Throws INVALID_PAYLOAD, NOT_FOUND. */
export async function changeFeed(ctx: Context, id: string, body: FeedChange) {
  const before = await readFeed(ctx, id);
  const change = { ...body } as Partial<FeedSettings>;
  if (change.url !== undefined) change.protocol = parseProtocol(change.url);
  // For the checks: a stored secret is only reported as present.
  const stored = {
    ...before,
    password: before.has_password ? '' : null,
    private_key: before.has_private_key ? '' : null,
  };
  await checkFeed(ctx, { ...stored, ...change }, change);
  checkStoredSecrets(before, change);
  await sealSecrets(ctx, id, change);
  const fields = listChangedFields(stored, change);
  const act = { action: 'feed.change', target: id, detail: { name: before.name, fields } };
  return audited(ctx, act, async (bound) => {
    await requireDealer(bound, change.dealer);
    await queries.updateFeed(...toQueryScope(bound), id, change);
    return readFeed(bound, id);
  });
}

/** In the transaction that names the dealer: it stays until then. */
export async function requireDealer(ctx: Context, slug: string | null | undefined) {
  if (slug == null || (await queries.lockDealer(...toQueryScope(ctx), slug))) return;
  const fix = 'Create it with POST /v1/dealers first.';
  throw invalidFeed('dealer', 'the account has no such dealer', fix, { received: toReceivedValue(slug) });
}

async function sealSecrets(ctx: Context, id: string, change: Partial<FeedSettings>) {
  const about = secretAbout(requireAccount(ctx).id, id);
  for (const field of ['password', 'private_key'] as const) {
    const text = change[field];
    if (text != null) change[field] = await sealSecret(ctx.ports, { field, text, about });
  }
}

/** The first arguments of the queries. */
const toQueryScope = (ctx: Context) => [ctx.ports.db, requireAccount(ctx).id] as const;

export async function readFeed(ctx: Context, id: string) {
  const feed = await queries.readFeed(...toQueryScope(ctx), id);
  if (feed === null) throw notFound('feed');
  return feed;
}

export async function listFeeds(ctx: Context, page: PageInput) {
  const feeds = await queries.listFeeds(...toQueryScope(ctx), startPage(page));
  const { items, next_cursor } = toPage(feeds, page.limit, ({ id }) => id);
  return { feeds: items, next_cursor };
}

/** Deletes a feed with its runs; its listings stay. */
export async function removeFeed(ctx: Context, id: string) {
  const { name } = await readFeed(ctx, id);
  await audited(ctx, { action: 'feed.remove', target: id, detail: { name } }, async (bound) => {
    if (!(await queries.deleteFeed(...toQueryScope(bound), id))) throw notFound('feed');
  });
}

export async function listFeedRuns(ctx: Context, feedId: string, page: PageInput) {
  await readFeed(ctx, feedId);
  const runs = await listRuns(...toQueryScope(ctx), feedId, startPage(page));
  const { items, next_cursor } = toPage(runs, page.limit, ({ id }) => id);
  return { runs: items, next_cursor };
}

export async function readFeedRun(ctx: Context, feedId: string, runId: string) {
  const run = await readRun(...toQueryScope(ctx), feedId, runId);
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
  await readFeedRun(ctx, id, run);
  const changes = await listChanges(...toQueryScope(ctx), id, run, kind, startPage(page, CHANGE));
  const { items, next_cursor } = toPage(changes, page.limit, ({ key }) => key);
  return { changes: items.map(({ key, ...change }) => change), next_cursor };
}
