import { ApiError } from '../../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../../http/context.ts';
import { checkMembers, checkScope, hideMembers } from '../../http/guards/scopes.ts';
import { type PageInput, startPage, toPage } from '../../http/page.ts';
import { pingWebhook } from '../../leads/delivery/ping-webhook.ts';
import { makeWebhookSecret, sealWebhookSecret } from '../../leads/delivery/webhook-secret.ts';
import { type Warning, warn } from '../../truck/listing/warn.ts';
import { warnOfUnknown } from '../../truck/names/unknown-members.ts';
import { received } from '../../truck/text/text.ts';
import { MEMBER_SCOPES } from '../access.ts';
import { audited } from '../audited.ts';
import { withTimeZone } from './dealer-time-zone.ts';
import type { AccountDealers, Dealer, DealerChange, WebhookSecret } from './port.ts';
import { isAllowedPlain } from './profile/allowed-host.ts';
import { warnOfUnreadable } from './profile/unreadable-values.ts';
import { MAX_DEALERS } from './schemas.ts';

const DEALER_FIELDS = [
  ...(['name', 'phone', 'email', 'website', 'address', 'city', 'state', 'zip'] as const),
  ...(['sms', 'hours', 'time_zone', 'reply_minutes', 'lead_email'] as const),
  ...(['lead_email_format', 'lead_webhook_url'] as const),
] as const;

type DealerBody = Readonly<Record<string, unknown>> &
  DealerChange & { rotate_lead_webhook_secret?: boolean | undefined };
/** The secret is shown when it is made, and never again. */
type SavedDealer = Dealer & { lead_webhook_secret?: string; warnings?: readonly Warning[] };

/** Only the dealer's own fields, only those sent, with the time zone that hours need. */
function toChange(ctx: Context, body: DealerBody & { slug: string }): Promise<DealerChange> {
  const change = Object.fromEntries(
    DEALER_FIELDS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
  const dealers = ctx.ports.dealers.of(requireAccount(ctx).id);
  return withTimeZone(change, body.slug, { dealers, geocoder: ctx.ports.geocoder });
}

/** Throws INVALID_PAYLOAD for a webhook that would never be called. */
async function checkWebhookUrl({ ports }: Context, url: string | null | undefined): Promise<void> {
  if (url == null) return;
  const { fetcher, settings } = ports;
  if (new URL(url).protocol === 'http:' && !isAllowedPlain(settings.outboundAllow, new URL(url)))
    throw invalidWebhook(url, 'must be an https URL', 'Send an https:// URL.');
  const refusal = await fetcher.findRefusal(url);
  if (refusal === 'url_refused')
    throw invalidWebhook(url, 'names a port that is not called', 'Use port 443: leave the port out.');
  if (refusal !== null)
    throw invalidWebhook(url, 'is no public address', 'Send an address that is reached from outside.');
}

function invalidWebhook(url: string, problem: string, fix: string): ApiError {
  const field = 'lead_webhook_url';
  return new ApiError('INVALID_PAYLOAD', `${field} ${problem}.`, {
    details: { field, reason: 'not_allowed', received: received(url), fix },
  });
}

interface NewSecret {
  /** `whsec_…`, for the answer. */
  plain: string;
  stored: WebhookSecret;
}

/** A secret for the dealer's webhook, for the case that this call sets or rotates it. */
async function makeSecret(ctx: Context, body: DealerBody & { slug: string }): Promise<NewSecret> {
  const replaces = body.rotate_lead_webhook_secret === true;
  if (!replaces && body.lead_webhook_url == null) return { plain: '', stored: { value: '', replaces } };
  const plain = makeWebhookSecret(ctx.ports);
  const value = await sealWebhookSecret(ctx.ports, requireAccount(ctx).id, body.slug, plain);
  return { plain, stored: { value, replaces } };
}

const toShown = (ctx: Context, dealer: Dealer): Dealer => hideMembers(ctx, MEMBER_SCOPES.dealer, dealer);

function pingNewWebhook(ctx: Context, { slug, lead_webhook_url }: DealerBody & { slug: string }): void {
  const { id } = requireAccount(ctx);
  if (lead_webhook_url != null) ctx.after((ports) => pingWebhook(ports, id, slug));
}

/** Which fields were sent, not what they say: the row outlives the dealer. */
function toAct({ slug, ...sent }: DealerBody & { slug: string }, { created, before, dealer }: Changed) {
  const hasOtherWay = before !== null && LEAD_WAYS.some((name) => dealer[name] !== before[name]);
  const changesLeads = hasOtherWay || sent.rotate_lead_webhook_secret === true;
  const fields = Object.keys(sent).filter((name) => sent[name] !== undefined);
  const action = created ? nameAct('create', takesLeads(dealer)) : nameAct('change', changesLeads);
  return { action, target: slug, detail: { fields } };
}

/** What concerns where leads go has a name of its own: owners get a mail about it. */
const nameAct = (verb: 'create' | 'change' | 'remove', concernsLeads: boolean) =>
  concernsLeads ? `dealer.${verb}_leads` : `dealer.${verb}`;

/** `before`: null where the way of leads was not sent, too. */
interface Changed {
  created: boolean;
  before: Dealer | null;
  dealer: Dealer;
}

const LEAD_WAYS = ['lead_email', 'lead_webhook_url'] as const;

const takesLeads = (dealer: Dealer): boolean => LEAD_WAYS.some((name) => dealer[name] !== null);

const readBefore = async (
  own: AccountDealers,
  body: DealerBody & { slug: string },
): Promise<Dealer | null> => (LEAD_WAYS.some((name) => body[name] !== undefined) ? own.get(body.slug) : null);

const KNOWN: ReadonlySet<string> = new Set(['slug', 'rotate_lead_webhook_secret', ...DEALER_FIELDS]);

/** Each with leads under way costs the statement that gives everybody's to their workers. */
function tooManyDealers(tier: string, maxDealers: number): ApiError {
  return new ApiError('INVALID_PAYLOAD', `The ${tier} tier has at most ${maxDealers} dealers.`, {
    details: { field: 'slug', reason: 'too_many_dealers' },
  });
}

/** Creates a dealer; its slug again updates it. */
export function saveDealer(
  ctx: Context,
  body: DealerBody & { slug: string; name: string },
): Promise<{ dealer: SavedDealer; created: boolean }> {
  const { tier } = requireAccount(ctx);
  const max = MAX_DEALERS[tier];
  return writeDealer(ctx, body, max, () => tooManyDealers(tier, max));
}

/** Changes a dealer, or creates one while there are fewer than `maxDealers`; otherwise throws `refusal`. */
async function writeDealer(
  ctx: Context,
  body: DealerBody & { slug: string },
  maxDealers: number,
  refusal: () => ApiError,
): Promise<{ dealer: SavedDealer; created: boolean }> {
  checkMembers(ctx, MEMBER_SCOPES.dealer, body);
  await checkWebhookUrl(ctx, body.lead_webhook_url);
  const change = await toChange(ctx, body);
  const secret = await makeSecret(ctx, body);
  const toWriteAct = (done: Changed) => toAct(body, done);
  const saved = await audited(ctx, toWriteAct, async ({ ports }) => {
    const own = ports.dealers.of(requireAccount(ctx).id);
    const before = await readBefore(own, body);
    const written = await own.save(body.slug, change, secret.stored, maxDealers);
    if (written === null) throw refusal();
    return { ...written, before };
  });
  pingNewWebhook(ctx, body);
  const shown = toShown(ctx, saved.dealer);
  const dealer = saved.secretTaken ? { ...shown, lead_webhook_secret: secret.plain } : shown;
  const later = saved.hasUnassigned ? [warn('DEALER_LATER')] : [];
  const warnings = [...later, ...warnOfUnreadable(body), ...warnOfUnknown(body, KNOWN)];
  return { dealer: warnings.length === 0 ? dealer : { ...dealer, warnings }, created: saved.created };
}

/** Creates a dealer, and changes none: throws INVALID_PAYLOAD when there is one with its slug. */
export function addDealer(ctx: Context, body: DealerBody & { slug: string; name: string }): Promise<void> {
  return ctx.ports.store.transaction(async (bound) => {
    const { created } = await saveDealer(ctx.on({ ...ctx.ports, ...bound }), body);
    if (created) return;
    throw new ApiError('INVALID_PAYLOAD', 'There is a dealer with this short name already.', {
      details: { field: 'slug', fix: 'Choose another one.' },
    });
  });
}

/** NOT_FOUND for a key of another dealer. */
function checkReach(ctx: Context, slug: string): void {
  const only = onlyDealer(ctx);
  if (only !== null && only !== slug) throw notFound('dealer');
}

export async function readDealer(ctx: Context, slug: string): Promise<Dealer> {
  checkReach(ctx, slug);
  const dealer = await ctx.ports.dealers.of(requireAccount(ctx).id).get(slug);
  if (dealer === null) throw notFound('dealer');
  return toShown(ctx, dealer);
}

/**
 * Removes a dealer without listings and feeds; INVALID_PARAMS while there are some. The way of its leads goes with it:
 * FORBIDDEN for a key that may not say where leads go.
 */
export async function removeDealer(ctx: Context, slug: string): Promise<{ slug: string }> {
  const act = (hadLeads: boolean) => ({ action: nameAct('remove', hadLeads), target: slug });
  await audited(ctx, act, async ({ ports }) => {
    const own = ports.dealers.of(requireAccount(ctx).id);
    const dealer = await own.get(slug);
    const hadLeads = dealer !== null && takesLeads(dealer);
    if (hadLeads) checkScope(ctx, 'leads');
    const removed = await own.remove(slug);
    if (removed === 'absent') throw notFound('dealer');
    if (removed === 'used')
      throw new ApiError('INVALID_PARAMS', 'The dealer has listings or feeds.', {
        details: { field: 'slug', reason: 'in_use', received: slug },
      });
    return hadLeads;
  });
  return { slug };
}

/** Changes the fields that are sent; null clears one. */
export async function changeDealer(ctx: Context, body: DealerBody & { slug: string }): Promise<SavedDealer> {
  checkReach(ctx, body.slug);
  return (await writeDealer(ctx, body, 0, () => notFound('dealer'))).dealer;
}

/** The account's dealers by slug. */
export async function listDealers(ctx: Context, page: PageInput) {
  const own = ctx.ports.dealers.of(requireAccount(ctx).id);
  const only = onlyDealer(ctx);
  if (only !== null) {
    const dealer = await own.get(only);
    return { dealers: dealer === null ? [] : [toShown(ctx, dealer)], next_cursor: null };
  }
  const dealers = await own.list(startPage(page));
  const { items, next_cursor } = toPage(dealers, page.limit, ({ slug }) => slug);
  return { dealers: items.map((dealer) => toShown(ctx, dealer)), next_cursor };
}
