import { ApiError } from '../../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../../http/context.ts';
import { checkMembers, checkScope, hideMembers } from '../../http/guards/scopes.ts';
import { type PageInput, startPage, toPage } from '../../http/page.ts';
import { pingWebhook } from '../../leads/delivery/webhook.ts';
import { makeWebhookSecret, sealWebhookSecret } from '../../leads/delivery/webhook-secret.ts';
import { isAllowedPlain } from '../../outside/fetcher/allowed-host.ts';
import { type Warning, warn } from '../../truck/listing/warn.ts';
import { warnOfUnknown } from '../../truck/names/unknown-members.ts';
import { readDealerPlace, readZip } from '../../truck/place/place.ts';
import { readState } from '../../truck/place/states.ts';
import { quoted, received } from '../../truck/text/text.ts';
import { MEMBER_SCOPES } from '../access.ts';
import { audited } from '../audited.ts';
import { hasAreaCode } from './phone.ts';
import { deleteDealer, findDealer, findDealers, writeDealer } from './queries.ts';
import { type Dealer, type DealerBody, DealerCreate, MAX_DEALERS } from './schemas.ts';

/** The secret is shown when it is made, and never again. */
type SavedDealer = Dealer & { lead_webhook_secret?: string; warnings?: readonly Warning[] };

const toShown = (ctx: Context, dealer: Dealer): Dealer => hideMembers(ctx, MEMBER_SCOPES.dealer, dealer);

/** NOT_FOUND for a key of another dealer. */
function checkReach(ctx: Context, slug: string): void {
  if ((onlyDealer(ctx) ?? slug) !== slug) throw notFound('dealer');
}

export async function readDealer(ctx: Context, slug: string): Promise<Dealer> {
  checkReach(ctx, slug);
  const dealer = await findDealer(ctx.ports.db, requireAccount(ctx).id, slug);
  if (dealer === null) throw notFound('dealer');
  return toShown(ctx, dealer);
}

/** The account's dealers by slug. */
export async function listDealers(ctx: Context, page: PageInput) {
  const { id } = requireAccount(ctx);
  const only = onlyDealer(ctx);
  const dealers =
    only === null
      ? await findDealers(ctx.ports.db, id, startPage(page))
      : [await findDealer(ctx.ports.db, id, only)].filter((dealer) => dealer !== null);
  const { items, next_cursor } = toPage(dealers, page.limit, ({ slug }) => slug);
  return { dealers: items.map((dealer) => toShown(ctx, dealer)), next_cursor };
}

/** Creates a dealer; its slug again updates it. */
export function saveDealer(ctx: Context, body: DealerBody & { name: string }) {
  const { tier } = requireAccount(ctx);
  const max = MAX_DEALERS[tier];
  return save(ctx, body, max, () => {
    // Each with leads under way costs the statement that gives everybody's to their workers.
    throw new ApiError('INVALID_PAYLOAD', `The ${tier} tier has at most ${max} dealers.`, {
      details: { field: 'slug', reason: 'too_many_dealers' },
    });
  });
}

/** Creates a dealer, and changes none: throws INVALID_PAYLOAD when there is one with its slug. */
export async function addDealer(ctx: Context, body: DealerBody & { name: string }): Promise<void> {
  const isTaken = (await findDealer(ctx.ports.db, requireAccount(ctx).id, body.slug)) !== null;
  if (!isTaken) return void (await saveDealer(ctx, body));
  throw new ApiError('INVALID_PAYLOAD', 'There is a dealer with this short name already.', {
    details: { field: 'slug', fix: 'Choose another one.' },
  });
}

/** Changes the fields that are sent; null clears one. */
export async function changeDealer(ctx: Context, body: DealerBody): Promise<SavedDealer> {
  checkReach(ctx, body.slug);
  const { dealer } = await save(ctx, body, 0, () => {
    throw notFound('dealer');
  });
  return dealer;
}

/**
 * Removes a dealer without listings and feeds; INVALID_PARAMS while there are some. The way of its leads goes with it:
 * FORBIDDEN for a key that may not say where leads go.
 */
export async function removeDealer(ctx: Context, slug: string): Promise<{ slug: string }> {
  const { id } = requireAccount(ctx);
  const act = (hadLeads: boolean) => ({ action: nameAct('remove', hadLeads), target: slug });
  await audited(ctx, act, async ({ ports: { db } }) => {
    const dealer = await findDealer(db, id, slug, 'for update');
    if (dealer === null) throw notFound('dealer');
    const hadLeads = dealer.lead_email !== null || dealer.lead_webhook_url !== null;
    if (hadLeads) checkScope(ctx, 'leads');
    if (!(await deleteDealer(db, id, slug)))
      throw new ApiError('INVALID_PARAMS', 'The dealer has listings or feeds.', {
        details: { field: 'slug', reason: 'in_use', received: slug },
      });
    return hadLeads;
  });
  return { slug };
}

/** What concerns where leads go has a name of its own: owners get a mail about it. */
const nameAct = (verb: 'create' | 'change' | 'remove', concernsLeads: boolean) =>
  concernsLeads ? `dealer.${verb}_leads` : `dealer.${verb}`;

const MEMBERS: ReadonlySet<string> = new Set(Object.keys(DealerCreate.shape));

/** Changes a dealer, or creates one while there are fewer than `maxDealers`; otherwise `refuse` throws. */
async function save(
  ctx: Context,
  body: DealerBody,
  maxDealers: number,
  refuse: () => never,
): Promise<{ dealer: SavedDealer; created: boolean }> {
  const { slug, lead_webhook_url: url, rotate_lead_webhook_secret: rotates = false } = body;
  const { id } = requireAccount(ctx);
  checkMembers(ctx, MEMBER_SCOPES.dealer, body);
  if (url) await checkWebhookUrl(ctx, url);
  const fields = [...MEMBERS].filter((name) => name !== 'slug' && body[name] !== undefined);
  const change = Object.fromEntries(fields.map((name) => [name, body[name]]));
  const timeZone = await chooseTimeZone(ctx, slug, change);
  if (timeZone !== null) change.time_zone = timeZone;
  const plain = rotates || url ? makeWebhookSecret(ctx.ports) : '';
  const secret = plain && (await sealWebhookSecret(ctx.ports, id, slug, plain));
  const toAct = ({ created, movesLeads }: { created: boolean; movesLeads: boolean }) => ({
    action: nameAct(created ? 'create' : 'change', movesLeads || rotates),
    target: slug,
    // Which fields were sent, not what they say: the row outlives the dealer.
    detail: { fields },
  });
  const {
    created,
    movesLeads: _,
    hasNewSecret,
    hasUnassigned,
    ...written
  } = await audited(
    ctx,
    toAct,
    async ({ ports: { db } }) =>
      (await writeDealer(db, id, slug, change, { secret, rotates, maxDealers })) ?? refuse(),
  );
  if (url) ctx.after((ports) => pingWebhook(ports, { accountId: id, dealer: written }));
  const warnings = [
    ...(hasUnassigned ? [warn('DEALER_LATER')] : []),
    ...warnOfUnreadable(body),
    ...warnOfUnknown(body, MEMBERS),
  ];
  const dealer = {
    ...toShown(ctx, written),
    ...(hasNewSecret ? { lead_webhook_secret: plain } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return { dealer, created };
}

/** Throws INVALID_PAYLOAD for a webhook that would never be called. */
async function checkWebhookUrl({ ports: { fetcher, settings } }: Context, url: string): Promise<void> {
  const parsed = new URL(url);
  const isPlain = parsed.protocol === 'http:' && !isAllowedPlain(settings.outboundAllow, parsed);
  if (!isPlain && (await fetcher.findRefusal(url)) === null) return;
  const field = 'lead_webhook_url';
  const fix = 'Send an https:// URL without a port, of an address that is reached from outside.';
  throw new ApiError('INVALID_PAYLOAD', `${field} would never be called.`, {
    details: { field, reason: 'not_allowed', received: received(url), fix },
  });
}

/**
 * The zone of the dealer's place, where a change of hours, place or zone needs one; null leaves what is sent or stored.
 * INVALID_PAYLOAD when there are hours, and neither says it.
 */
async function chooseTimeZone(
  { ports, principal }: Context,
  slug: string,
  change: Partial<Dealer>,
): Promise<string | null> {
  const moves = [change.city, change.state, change.zip].some((value) => value !== undefined);
  const isConcerned = change.hours || change.time_zone === null || moves;
  if (change.time_zone || !isConcerned) return null;
  const stored = await findDealer(ports.db, principal?.account.id ?? '', slug);
  const { hours, city = null, state = null, zip = null, time_zone = null } = { ...stored, ...change };
  if (!hours || (time_zone !== null && !moves)) return null;
  const place = readDealerPlace({ city, state, zip });
  const [located = null] = place === null ? [] : await ports.geocoder.locate([place]);
  if (located !== null && located !== 'later') {
    const { default: findZone } = await import('@photostructure/tz-lookup');
    return findZone(located.latitude, located.longitude);
  }
  if (time_zone !== null) return null;
  throw new ApiError('INVALID_PAYLOAD', 'time_zone: the dealer’s hours need one.', {
    details: {
      field: 'time_zone',
      reason: 'missing',
      fix: 'Send time_zone, such as America/Chicago, or the dealer’s city and state or ZIP.',
    },
  });
}

const NUMBER = { expected: 'phone number with its area code', isReadable: hasAreaCode };
const CHECKS = {
  state: { expected: 'state or province', isReadable: (text: string) => readState(text) !== null },
  zip: { expected: 'ZIP or postal code', isReadable: (text: string) => readZip(text) !== null },
  phone: NUMBER,
  sms: NUMBER,
};

/** Of what cannot be read: it is kept as it was typed. */
function warnOfUnreadable(sent: Readonly<Record<string, unknown>>): Warning[] {
  return Object.entries(CHECKS).flatMap(([field, { expected, isReadable }]) => {
    const value = sent[field];
    if (typeof value !== 'string' || isReadable(value)) return [];
    return [warn('DEALER_DETAIL_DOUBTFUL', { field, received: quoted(value), expected })];
  });
}
