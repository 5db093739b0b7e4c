import { PRICE_BANDS } from '../../contract/price-bands.ts';

/** What a listing is counted under: the columns of `facet_deltas` that describe it, made from a search row. */

/** Facets that are plain text columns of `listing_search`, in the order of `facet_deltas`. */
const COLUMNS = {
  status: 'status',
  make: 'make',
  model: 'model',
  body_type: 'body_type',
  truck_class: 'truck_class',
  year: 'model_year',
  price: 'price',
  condition: 'condition',
  fuel_type: 'fuel_type',
  state: 'state',
  dealer: 'dealer',
} as const;
export type FacetColumn = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as FacetColumn[];

/** How the statement that writes a batch names the same columns. */
export const NAMES_IN_WRITE: Partial<Record<FacetColumn, string>> = {
  status: 's',
  body_type: 'body',
  truck_class: 'class',
  year: 'year',
  condition: 'cond',
  fuel_type: 'fuel',
};

export const FACET_KEY = NAMES.join(', ');
export const FACET_KEY_BUT_STATUS = NAMES.filter((name) => name !== 'status').join(', ');

/** The number of a price's band as text, 0 below the first bound; '' for call-for-price. */
const bandOf = (price: string) =>
  `coalesce(width_bucket(${price}, array[${PRICE_BANDS.join(', ')}])::text, '')`;

/** Select list of the columns of FACET_KEY for a row of `listing_search`, or of one whose columns are named otherwise. */
export function facetKey(alias: string, names: Partial<Record<FacetColumn, string>> = {}): string {
  return NAMES.map((name) => {
    const column = `${alias}.${names[name] ?? COLUMNS[name]}`;
    if (name === 'price') return `${bandOf(column)} as price`;
    return `coalesce(${name === 'year' ? `${column}::text` : column}, '') as ${name}`;
  }).join(', ');
}

/** Rows (facet, value) of a key `k`. */
export const FACET_PAIRS = `values ${NAMES.map((name) => `('${name}', k.${name})`).join(', ')}`;
