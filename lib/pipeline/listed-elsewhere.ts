import { warn } from '../truck/listing/warn.ts';
import { groupDigits, nameProvider } from '../truck/text/text.ts';
import type { ElsewhereListing } from './batch/stored-listings.ts';

/** A VIN that an account has for sale under two providers: two listings of one truck. */
export function warnOfElsewhere([other]: readonly ElsewhereListing[]) {
  if (!other) return [];
  const { provider, price, currency } = other;
  const priced =
    price === null ? 'without a price' : `for ${[groupDigits(price), currency].filter(Boolean).join(' ')}`;
  return [warn('LISTED_ELSEWHERE', { provider: nameProvider(provider), price: priced })];
}
