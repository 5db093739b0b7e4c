import { ApiError } from '../../errors.ts';
import type { Dealer, DealerChange, WebhookSecret } from '../../ports/dealers.ts';
import { accountOf, type Context, notFound } from '../context.ts';
import { type PageInput, pageOf, startOf } from '../page.ts';

const DEALER_FIELDS = [
  ...(['name', 'phone', 'email', 'website', 'address', 'city', 'state', 'zip'] as const),
  ...(['lead_email', 'lead_webhook_url'] as const),
] as const;

type DealerBody = Readonly<Record<string, unknown>> &
  DealerChange & { rotate_lead_webhook_secret?: boolean | undefined };
/** The secret is shown when it is made, and never again. */
type SavedDealer = Dealer & { lead_webhook_secret?: string };

/** Only the dealer's own fields, only those sent. */
function changeOf(body: DealerBody): DealerChange {
  return Object.fromEntries(
    DEALER_FIELDS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

/** As the Standard Webhooks specification has it: `whsec_` and the base64 of 24 random bytes. */
function freshSecret({ ports }: Context, body: DealerBody): WebhookSecret {
  const value = `whsec_${Buffer.from(ports.random.bytes(24)).toString('base64')}`;
  return { value, replaces: body.rotate_lead_webhook_secret === true };
}

const shown = (dealer: Dealer, secret: WebhookSecret, taken: boolean): SavedDealer =>
  taken ? { ...dealer, lead_webhook_secret: secret.value } : dealer;

/** Creates a dealer; one's own slug again updates it. A slug another account holds is INVALID_PAYLOAD. */
export async function saveDealer(
  ctx: Context,
  body: DealerBody & { slug: string; name: string },
): Promise<{ dealer: SavedDealer; created: boolean }> {
  const secret = freshSecret(ctx, body);
  const { id } = accountOf(ctx);
  const saved = await ctx.ports.dealers.of(id).save(body.slug, body.name, changeOf(body), secret);
  if (saved !== 'taken')
    return { dealer: shown(saved.dealer, secret, saved.secretTaken), created: saved.created };
  throw new ApiError('INVALID_PAYLOAD', 'This slug is taken; choose another.', {
    details: { field: 'slug', reason: 'taken' },
  });
}

/** Changes the fields that are sent; null clears one. */
export async function changeDealer(ctx: Context, body: DealerBody & { slug: string }): Promise<SavedDealer> {
  const secret = freshSecret(ctx, body);
  const saved = await ctx.ports.dealers.of(accountOf(ctx).id).change(body.slug, changeOf(body), secret);
  if (saved === null) throw notFound('dealer');
  return shown(saved.dealer, secret, saved.secretTaken);
}

/** The account's dealers by slug. */
export async function listDealers(ctx: Context, page: PageInput) {
  const dealers = await ctx.ports.dealers.of(accountOf(ctx).id).list(startOf(page));
  const { items, next_cursor } = pageOf(dealers, page.limit, ({ slug }) => slug);
  return { dealers: items, next_cursor };
}
