import type { Candidate } from '../domain/listing/listing-change.ts';
import { nameProvider } from '../domain/listing/name-provider.ts';
import type { MergedTruck } from '../domain/listing/truck.ts';
import { type Warning, warn } from '../domain/listing/warn.ts';
import { grouped } from '../domain/text/text.ts';
import type { ElsewhereListing, ReadAnswer } from '../ports/listings.ts';
import type { Outcome, Skipped } from './stage.ts';

/** A VIN that an account has for sale under two providers: two listings of one truck. */

/** Against what is stored; `reached` is the only dealer that the caller may hear of. */
export function listedElsewhere(
  { vin, fields }: MergedTruck,
  known: ReadAnswer,
  reached: string | null | undefined,
): Warning[] {
  const others = known.elsewhere.get(vin)?.filter(({ dealer }) => !reached || dealer === reached) ?? [];
  return toWarning(fields.price, others);
}

/** Between records of one batch, which the store does not know yet. */
export function warnOfPairs(outcomes: readonly Outcome<Candidate, Skipped>[]): void {
  const listed = outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'continue' || outcome.item.status !== 'available') return [];
    const { truck, warnings } = outcome.item;
    const { vin, sourceProviderId: provider, fields, dealer } = truck;
    return [{ vin, provider, price: fields.price, dealer, warnings }];
  });
  for (const listings of Map.groupBy(listed, ({ vin }) => vin).values())
    for (const listing of listings)
      if (!listing.warnings.some(({ code }) => code === 'LISTED_ELSEWHERE'))
        listing.warnings.push(...toWarning(listing.price, listings, listing));
}

/** Names a listing at another price, if there is one. */
function toWarning(
  price: number | null,
  listings: readonly ElsewhereListing[],
  own?: ElsewhereListing,
): Warning[] {
  const other =
    listings.find((listing) => listing !== own && listing.price !== price) ??
    listings.find((listing) => listing !== own);
  if (!other) return [];
  const priced = other.price === null ? 'without a price' : `for ${grouped(other.price)} USD`;
  return [warn('LISTED_ELSEWHERE', { provider: nameProvider(other.provider), price: priced })];
}
