import type { TruckSummary } from './truck-table.ts';

export const INVENTORY = '/dashboard/inventory';

/** Parameters of the search, by name. */
export type InventoryQuery = Readonly<Record<string, string | undefined>>;

/** One value of a facet; a band of prices has its ends. */
export interface Counted {
  value?: string | number;
  from?: number | null;
  to?: number | null;
  count: number;
}

/** The answer of the search. */
export interface Searched {
  listings: TruckSummary[];
  facets: Record<string, Counted[]>;
  count: { value: number; exact: boolean };
  understood: Understood;
  next_cursor: string | null;
}

/** How the words of a search were read. */
export interface Understood {
  filters: Record<string, (string | number)[]>;
  words: string[];
  without?: string[];
  dropped?: string[];
}
