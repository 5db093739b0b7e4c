import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { checkMembers } from '../../http/guards/scopes.ts';
import { pingWebhook } from '../../leads/delivery/webhook.ts';
import { makeWebhookSecret, sealWebhookSecret } from '../../leads/delivery/webhook-secret.ts';
import { isAllowedPlain } from '../../outside/fetcher/allowed-host.ts';
import { type Warning, warn, warnOfUnknown } from '../../truck/listing/warn.ts';
import { readDealerPlace, readZip } from '../../truck/place/place.ts';
import { readState } from '../../truck/place/states.ts';
import { quoteValue, toReceivedValue } from '../../truck/text/text.ts';
import { MEMBER_SCOPES } from '../access.ts';
import { audited, listChangedFields } from '../audited.ts';
import { nameAct, readDealer, toShown } from './dealers.ts';
import { findDealer } from './find-dealer.ts';
import { type WrittenDealer, writeDealer } from './queries.ts';
import { type Dealer, type DealerBody, DealerCreate, MAX_DEALERS } from './schemas.ts';

/** Creates a dealer; its slug again updates it. */
export const saveDealer = (ctx: Context, body: DealerBody & { name: string }) =>
  save(ctx, body, MAX_DEALERS[requireAccount(ctx).tier]);

/** Changes the fields that are sent; null clears one. */
export async function changeDealer(ctx: Context, body: DealerBody) {
  await readDealer(ctx, body.slug);
  return (await save(ctx, body, 0)).dealer;
}

const MEMBERS: ReadonlySet<string> = new Set(Object.keys(DealerCreate.shape));

/** Changes a dealer, or creates one while there are fewer than `maxDealers`. */
async function save(ctx: Context, body: DealerBody, maxDealers: number) {
  const { slug, lead_webhook_url: url, rotate_lead_webhook_secret: rotates = false } = body;
  const { id } = requireAccount(ctx);
  checkMembers(ctx, MEMBER_SCOPES.dealer, body);
  if (url) await checkWebhookUrl(ctx, url);
  const names = [...MEMBERS].filter((name) => name !== 'slug' && body[name] !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, body[name]]));
  const stored = await findDealer(ctx.ports.db, id, slug);
  const change = { ...values, ...(await chooseTimeZone(ctx, stored, values)) };
  const plain = rotates || url ? makeWebhookSecret(ctx.ports) : '';
  const secret = plain && (await sealWebhookSecret(ctx.ports, id, slug, plain));
  const toAct = ({ created, movesLeads }: WrittenDealer) => ({
    action: nameAct(created ? 'create' : 'change', movesLeads || rotates),
    target: slug,
    detail: { fields: listChangedFields(stored, values) },
  });
  const { created, movesLeads, hasNewSecret, hasUnassigned, ...row } = await audited(
    ctx,
    toAct,
    async ({ ports: { db } }) => {
      const [dealer] = await writeDealer(db, id, slug, change, { secret, rotates, maxDealers });
      if (!dealer) throw maxDealers === 0 ? notFound('dealer') : tooMany(maxDealers);
      return dealer;
    },
  );
  if (url) ctx.after((ports) => pingWebhook(ports, { accountId: id, dealer: row }));
  const warnings = [
    ...(hasUnassigned ? [warn('DEALER_NOT_ASSIGNED')] : []),
    ...warnOfUnreadable(body),
    ...warnOfUnknown(body, MEMBERS),
  ];
  const dealer = {
    ...toShown(ctx, row),
    ...(hasNewSecret ? { lead_webhook_secret: plain } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return { dealer, created };
}

/** Each with leads under way costs the statement that gives everybody's to their workers. */
const tooMany = (maxDealers: number) =>
  new ApiError('INVALID_PAYLOAD', `The account has at most ${maxDealers} dealers.`, {
    details: { field: 'slug', reason: 'too_many_dealers' },
  });

/** Throws INVALID_PAYLOAD for a webhook that would never be called. */
async function checkWebhookUrl({ ports: { fetcher, settings } }: Context, url: string): Promise<void> {
  const parsed = new URL(url);
  const isPlain = parsed.protocol === 'http:' && !isAllowedPlain(settings.outboundAllow, parsed);
  if (!isPlain && (await fetcher.findRefusal(url)) === null) return;
  const field = 'lead_webhook_url';
  const fix = 'Send an https:// URL without a port, of an address that is reached from outside.';
  throw new ApiError('INVALID_PAYLOAD', `${field} would never be called.`, {
    details: { field, reason: 'not_allowed', received: toReceivedValue(url), fix },
  });
}

/**
 * The zone of the dealer's place, where hours have none or the dealer moves; nothing where what is sent or stored stays.
 * INVALID_PAYLOAD when there are hours, and neither says it.
 */
async function chooseTimeZone({ ports }: Context, stored: Dealer | null, values: Partial<Dealer>) {
  const { hours, time_zone, ...dealer } = { city: null, state: null, zip: null, ...stored, ...values };
  const moves = [values.city, values.state, values.zip].some((value) => value !== undefined);
  if (values.time_zone || !hours || (time_zone && !moves)) return {};
  const place = readDealerPlace(dealer);
  const [located = null] = place === null ? [] : await ports.geocoder.locate([place]);
  if (located !== null && located !== 'later') {
    const { default: findZone } = await import('@photostructure/tz-lookup');
    return { time_zone: findZone(located.latitude, located.longitude) };
  }
  if (time_zone) return {};
  throw new ApiError('INVALID_PAYLOAD', 'time_zone: the dealer’s hours need one.', {
    details: {
      field: 'time_zone',
      reason: 'missing',
      fix: 'Send time_zone, such as America/Chicago, or the dealer’s city and state or ZIP.',
    },
  });
}

const CHECKS = {
  state: { expected: 'state or province', read: readState },
  zip: { expected: 'ZIP or postal code', read: readZip },
};

/** Of a place that cannot be read: it is kept as it was typed. */
function warnOfUnreadable(values: Readonly<Record<string, unknown>>): Warning[] {
  return Object.entries(CHECKS).flatMap(([field, { expected, read }]) => {
    const value = values[field];
    if (typeof value !== 'string' || read(value) !== null) return [];
    return [warn('DEALER_FIELD_UNRECOGNIZED', { field, received: quoteValue(value), expected })];
  });
}
