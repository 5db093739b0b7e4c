import type { ListingDoc } from '../listing/truck.ts';
import { isHiddenAsNoTruck } from '../vin/not-a-truck.ts';
import { explainSuspiciousPrice } from './price-envelope.ts';

/** A price in another currency is out of all figures in US dollars. */
export const isInDollars = ({ price, currency }: Pick<ListingDoc, 'price' | 'currency'>): boolean =>
  price === null || currency === null || currency === 'USD';

/** Whether a listing counts in market data: a truck, at a price in US dollars that may be right. */
export const isInMarket = (doc: ListingDoc, currentYear: number): boolean =>
  isInDollars(doc) && !isHiddenAsNoTruck(doc) && explainSuspiciousPrice(doc, currentYear) === null;
