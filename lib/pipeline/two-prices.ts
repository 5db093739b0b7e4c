import type { ListingStatus } from '../contract/fields.ts';
import type { Candidate } from '../domain/listing/listing-change.ts';
import type { MergedTruck } from '../domain/listing/truck.ts';
import { type Warning, warn } from '../domain/listing/warn.ts';
import { cut, grouped } from '../domain/text/text.ts';
import type { ReadAnswer } from '../ports/listings.ts';
import type { Outcome, Skipped } from './stage.ts';

/** A VIN that an account lists under two providers at two prices. */

interface Other {
  provider: string;
  price: number;
}

/** Against what is stored. */
export function listedElsewhere(
  { vin, fields }: MergedTruck,
  status: ListingStatus,
  known: ReadAnswer,
): Warning[] {
  const { price } = fields;
  if (price === null || status !== 'available') return [];
  const other = known.elsewhere.get(vin)?.find((listing) => listing.price !== price);
  return other ? [toWarning(price, other)] : [];
}

/** Between records of one batch, which the store does not know yet. */
export function warnOfTwoPrices(outcomes: readonly Outcome<Candidate, Skipped>[]): void {
  const priced = outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'continue' || outcome.item.status !== 'available') return [];
    const { truck, warnings } = outcome.item;
    const { price } = truck.fields;
    return price === null ? [] : [{ vin: truck.vin, provider: truck.sourceProviderId, price, warnings }];
  });
  for (const listings of Map.groupBy(priced, ({ vin }) => vin).values())
    for (const { price, warnings } of listings) {
      const other = listings.find((listing) => listing.price !== price);
      if (other && !warnings.some(({ code }) => code === 'LISTED_ELSEWHERE'))
        warnings.push(toWarning(price, other));
    }
}

function toWarning(price: number, { provider, price: other }: Other): Warning {
  const named = provider === '' ? 'no source_provider_id' : `source_provider_id "${cut(provider, 60)}"`;
  return warn('LISTED_ELSEWHERE', { price: grouped(price), other: grouped(other), provider: named });
}
