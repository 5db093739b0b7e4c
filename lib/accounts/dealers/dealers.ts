import { ApiError } from '../../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../../http/context.ts';
import { checkScope, hideMembers } from '../../http/guards/scopes.ts';
import { type PageInput, startPage, toPage } from '../../http/keyset.ts';
import { MEMBER_SCOPES } from '../access.ts';
import { audited } from '../audited.ts';
import { findDealer, findDealers } from './find-dealer.ts';
import { deleteDealer } from './queries.ts';
import type { Dealer } from './schemas.ts';

/** Without what the key may not see. */
export const toShown = (ctx: Context, dealer: Dealer): Dealer =>
  hideMembers(ctx, MEMBER_SCOPES.dealer, dealer);

export async function readDealer(ctx: Context, slug: string): Promise<Dealer> {
  const dealer = await findDealer(ctx.ports.db, requireAccount(ctx).id, slug);
  // A key of another dealer does not reach it.
  if (dealer === null || (onlyDealer(ctx) ?? slug) !== slug) throw notFound('dealer');
  return toShown(ctx, dealer);
}

/** The account's dealers by slug; of a key of one dealer that one. */
export async function listDealers(ctx: Context, page: PageInput) {
  const dealers = await findDealers(ctx.ports.db, requireAccount(ctx).id, startPage(page), onlyDealer(ctx));
  const { items, next_cursor } = toPage(dealers, page.limit, ({ slug }) => slug);
  return { dealers: items.map((dealer) => toShown(ctx, dealer)), next_cursor };
}

/**
 * Removes a dealer without listings and feeds; INVALID_PARAMS while there are some. The way of its leads goes with it:
 * FORBIDDEN for a key that may not say where leads go.
 */
export async function removeDealer(ctx: Context, slug: string): Promise<{ slug: string }> {
  const { id } = requireAccount(ctx);
  const toAct = (hadLeads: boolean) => ({ action: nameAct('remove', hadLeads), target: slug });
  await audited(ctx, toAct, async ({ ports: { db } }) => {
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
export const nameAct = (verb: 'create' | 'change' | 'remove', concernsLeads: boolean) =>
  concernsLeads ? `dealer.${verb}_leads` : `dealer.${verb}`;
