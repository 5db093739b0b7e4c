import type { Candidate } from '../truck/listing/listing-change.ts';
import { type Warning, warn } from '../truck/listing/warn.ts';
import { grouped, nameProvider } from '../truck/text/text.ts';
import type { ElsewhereListing, ReadAnswer } from './batch/stored-listings.ts';
import type { Outcome } from './stage.ts';

/** A VIN that an account has for sale under two providers: two listings of one truck. */

/** Against what is stored; `reached` is the only dealer that the caller may hear of. */
export const listedElsewhere = (vin: string, known: ReadAnswer, reached: string | null | undefined) =>
  toWarning(known.elsewhere.get(vin)?.filter(({ dealer }) => !reached || dealer === reached) ?? []);

/** Between records of one batch, which the store does not know yet. */
export function warnOfPairs(outcomes: readonly Outcome<Candidate>[]): void {
  const listed = outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'continue' || outcome.item.status !== 'available') return [];
    const { truck, warnings } = outcome.item;
    const { vin, sourceProviderId: provider, fields, dealer } = truck;
    const { price, currency } = fields;
    return [{ vin, provider, price, currency, dealer, warnings }];
  });
  for (const listings of Map.groupBy(listed, ({ vin }) => vin).values())
    for (const listing of listings)
      if (!listing.warnings.some(({ code }) => code === 'LISTED_ELSEWHERE'))
        listing.warnings.push(...toWarning(listings, listing));
}

function toWarning(listings: readonly ElsewhereListing[], own?: ElsewhereListing): Warning[] {
  const other = listings.find((listing) => listing !== own);
  if (!other) return [];
  const { provider, price, currency } = other;
  const priced =
    price === null ? 'without a price' : `for ${[grouped(price), currency].filter(Boolean).join(' ')}`;
  return [warn('LISTED_ELSEWHERE', { provider: nameProvider(provider), price: priced })];
}
