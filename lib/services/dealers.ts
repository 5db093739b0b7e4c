import { ApiError } from '../errors.ts';
import type { Dealer, DealerChange } from '../ports.ts';
import { accountOf, type Context, notFound } from './context.ts';
import { type PageInput, pageOf, startOf } from './page.ts';

const DEALER_FIELDS = ['name', 'phone', 'email', 'website', 'address', 'city', 'state', 'zip'] as const;

/** Only the dealer's own fields, only those sent. */
function changeOf(body: Readonly<Record<string, unknown>> & DealerChange): DealerChange {
  return Object.fromEntries(
    DEALER_FIELDS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

/** Creates a dealer; one's own slug again updates it. A slug another account holds is INVALID_PAYLOAD. */
export async function saveDealer(
  ctx: Context,
  body: { slug: string; name: string } & DealerChange,
): Promise<{ dealer: Dealer; created: boolean }> {
  const saved = await ctx.ports.dealers.of(accountOf(ctx).id).save(body.slug, body.name, changeOf(body));
  if (saved !== 'taken') return saved;
  throw new ApiError('INVALID_PAYLOAD', 'This slug is taken; choose another.', {
    details: { field: 'slug', reason: 'taken' },
  });
}

/** Changes the fields that are sent; null clears one. */
export async function changeDealer(ctx: Context, body: { slug: string } & DealerChange): Promise<Dealer> {
  const dealer = await ctx.ports.dealers.of(accountOf(ctx).id).change(body.slug, changeOf(body));
  if (dealer === null) throw notFound('dealer');
  return dealer;
}

/** The account's dealers by slug. */
export async function listDealers(ctx: Context, page: PageInput) {
  const dealers = await ctx.ports.dealers.of(accountOf(ctx).id).list(startOf(page));
  const { items, next_cursor } = pageOf(dealers, page.limit, ({ slug }) => slug);
  return { dealers: items, next_cursor };
}
