import type { ListingDoc } from '../listing/truck.ts';
import { isHiddenAsNoTruck } from '../vin/not-a-truck.ts';
import { explainSuspiciousPrice } from './price-envelope.ts';

/** False for a price in another currency, which figures in US dollars leave out. */
export const isInDollars = ({ price, currency }: Pick<ListingDoc, 'price' | 'currency'>): boolean =>
  price === null || currency === null || currency === 'USD';

/** True if a listing counts in market data: a truck with a plausible price in US dollars. */
export const isInMarket = (doc: ListingDoc, currentYear: number): boolean =>
  isInDollars(doc) && !isHiddenAsNoTruck(doc) && explainSuspiciousPrice(doc, currentYear) === null;
