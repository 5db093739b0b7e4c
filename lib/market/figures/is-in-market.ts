import type { ListingDoc } from '../../truck/listing/truck.ts';
import { explainSuspiciousPrice } from '../../truck/price/price-envelope.ts';
import { isHiddenAsNoTruck } from '../../truck/vin/not-a-truck.ts';

/** A price in another currency is out of all figures in US dollars. */
export const isInDollars = ({ price, currency }: Pick<ListingDoc, 'price' | 'currency'>): boolean =>
  price === null || currency === null || currency === 'USD';

/** Whether a listing counts in market data: a truck, at a price in US dollars that may be right. */
export const isInMarket = (doc: ListingDoc, currentYear: number): boolean =>
  isInDollars(doc) && !isHiddenAsNoTruck(doc) && explainSuspiciousPrice(doc, currentYear) === null;
