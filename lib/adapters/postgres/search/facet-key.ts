import { PRICE_BANDS } from '../../../contract/price-bands.ts';
import { FACET_NAMES, type FacetName, facetColumn, searchColumn } from '../../../contract/record/record.ts';
import { HOME } from '../listings/home.ts';

/** What a listing is counted under: the columns of `facet_deltas` that describe it, made from a search row. */

const FACETS = FACET_NAMES.map((name) => ({ name, key: facetColumn(name), column: searchColumn(name) }));
const KEYS = FACETS.map(({ key }) => key);

/** The statement that writes a batch names the same columns alike, but for the status. */
const NAMES_IN_WRITE = { status: 's' };

export const FACET_KEY = KEYS.join(', ');
export const FACET_KEY_BUT_STATUS = KEYS.filter((name) => name !== 'status').join(', ');

/** The number of a price's band, 0 below the first bound; null for call-for-price. */
export const bandSql = (price: string) => `width_bucket(${price}, array[${PRICE_BANDS.join(', ')}])`;

type Names = Partial<Record<FacetName, string>>;

/** What tells two keys apart, without making text of everything. */
const facetValues = (alias: string, names: Names = {}) =>
  FACETS.map(({ name, column }) => {
    const value = `${alias}.${names[name] ?? column}`;
    return name === 'price' ? bandSql(value) : value;
  });

/** The columns of FACET_KEY of a row of `listing_search`, or of one whose columns are named otherwise, as expressions. */
const keySql = (alias: string, names: Names = {}) =>
  facetValues(alias, names).map((value) => `coalesce(${value}::text, '')`);

/** Select list of the columns of FACET_KEY for a row of `listing_search`. */
export const facetKey = (alias: string): string =>
  keySql(alias)
    .map((value, at) => `${value} as ${KEYS[at]}`)
    .join(', ');

const KEY_OF_CHANGE = KEYS.map((key) => `k.${key}`).join(', ');

/**
 * Common table expressions that store the changes of counts that `select` answers: n and the columns of FACET_KEY. Their
 * numbers are given before they are inserted, since Citus inserts what needs a sequence by way of all workers.
 */
export const countedFrom = (select: string) => `turns as materialized (
      select nextval('facet_deltas_id_seq') as id, turn.* from (${select}) turn
    ), counted as (
      insert into facet_deltas (account_id, id, n, ${FACET_KEY}) overriding system value
      select home.account_id, id, n, ${FACET_KEY} from ${HOME}, turns
    )`;

/** Of the statement that writes a batch: what it counts where, and where no longer. */
export const COUNTED_BY_WRITE = countedFrom(`
      select sum(k.n) as n, ${KEY_OF_CHANGE} from taken i left join before o on o.dedup_hash = i.hash
        cross join lateral (values (1, ${keySql('i', NAMES_IN_WRITE).join(', ')}),
          (case when o.dedup_hash is null then 0 else -1 end, ${keySql('o').join(', ')})) as k(n, ${FACET_KEY})
      where (${facetValues('i', NAMES_IN_WRITE).join(', ')}) is distinct from (${facetValues('o').join(', ')})
      group by ${KEY_OF_CHANGE} having sum(k.n) <> 0`);

/** Rows (facet, value) of a key `k`. */
export const FACET_PAIRS = `values ${KEYS.map((key) => `('${key}', k.${key})`).join(', ')}`;
