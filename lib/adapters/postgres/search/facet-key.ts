import { PRICE_BANDS } from '../../../contract/price-bands.ts';

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

/** The statement that writes a batch names the same columns alike, but for the status. */
const NAMES_IN_WRITE = { status: 's' };

export const FACET_KEY = NAMES.join(', ');
export const FACET_KEY_BUT_STATUS = NAMES.filter((name) => name !== 'status').join(', ');

/** The number of a price's band as text, 0 below the first bound; '' for call-for-price. */
const bandSql = (price: string) =>
  `coalesce(width_bucket(${price}, array[${PRICE_BANDS.join(', ')}])::text, '')`;

type Names = Partial<Record<FacetColumn, string>>;

/** The columns of FACET_KEY of a row of `listing_search`, or of one whose columns are named otherwise, as expressions. */
const keySql = (alias: string, names: Names = {}) =>
  NAMES.map((name) => {
    const column = `${alias}.${names[name] ?? COLUMNS[name]}`;
    if (name === 'price') return bandSql(column);
    return `coalesce(${name === 'year' ? `${column}::text` : column}, '')`;
  });

/** Select list of the columns of FACET_KEY for a row of `listing_search`. */
export const facetKey = (alias: string): string =>
  keySql(alias)
    .map((value, at) => `${value} as ${NAMES[at]}`)
    .join(', ');

const KEY_OF_CHANGE = NAMES.map((name) => `k.${name}`).join(', ');

/** What tells two keys apart, without making text of everything. */
const apart = (alias: string, names: Names = {}) =>
  NAMES.map((name) => {
    const column = `${alias}.${names[name] ?? COLUMNS[name]}`;
    return name === 'price' ? bandSql(column) : column;
  }).join(', ');

/** A common table expression of the statement that writes a batch: what it counts where, and where no longer. */
export const COUNTED_BY_WRITE = `counted as (
      insert into facet_deltas (account_id, n, ${FACET_KEY})
      select $1, sum(k.n), ${KEY_OF_CHANGE} from taken i left join before o on o.dedup_hash = i.hash
        cross join lateral (values (1, ${keySql('i', NAMES_IN_WRITE).join(', ')}),
          (case when o.dedup_hash is null then 0 else -1 end, ${keySql('o').join(', ')})) as k(n, ${FACET_KEY})
      where (${apart('i', NAMES_IN_WRITE)}) is distinct from (${apart('o')})
      group by ${KEY_OF_CHANGE} having sum(k.n) <> 0
    )`;

/** Rows (facet, value) of a key `k`. */
export const FACET_PAIRS = `values ${NAMES.map((name) => `('${name}', k.${name})`).join(', ')}`;
