import {
  GRADE_BITS,
  LAST_LOT_YEARS,
  lotMake,
  shelfOf,
  TRAITS,
} from '../../../domain/search/search-traits.ts';
import { hasWords, type Parts, type Source } from './search.ts';
import { type Condition, lotsOf, traitConditionsOf, traitRange } from './search-filters.ts';
import { withinBound } from './search-order.ts';

/** Walking along the index of an order, until a page is full. */

/** Of an account and a status: what the indexes of the orders begin with. */
const onShelf = (status: string) => `s.shelf = ${shelfOf('$1::text', `${status}::text`)}`;

const ofStatus = (status: string) => ['s.account_id = $1', `s.status = ${status}::text`];
export const texts = (conditions: readonly Condition[]) => conditions.map(({ text }) => text);

/**
 * The values of the column by which the order's index keeps listings apart, one index probe each: a price hangs together
 * with make, year and condition, a model year with price and condition, and what is asked for may be far down a walk along all.
 */
export function partsOf(walk: Parts): string {
  const { bind, filters, order, statusAt } = walk;
  const { parts } = order;
  if (parts === null) return '';
  if (parts === 'lot' && filters.make !== null) {
    const { first, last, conditions } = lotsOf(filters);
    const makes = filters.make.map((make) => lotMake(bind(make))).join(', ');
    return `parts as (
      select make * 256 + years * 4 + condition as part from unnest(array[${makes}]) make,
        generate_series(${first}, ${last}) years, unnest(array[${conditions.join(', ')}]) condition
    ),`;
  }
  const found = statusAt.map((status, at) => {
    const among =
      parts === 'model_year'
        ? [...ofStatus(status), ...texts(walk.conditions)].join(' and ')
        : onShelf(status);
    const next = (more: string) =>
      `select s.${parts} as part from listing_search s where ${among} and ${more} order by s.${parts} limit 1`;
    return `parts_${at} as (
      (${next('true')})
      union all
      select (${next(`s.${parts} > p.part`)}) from parts_${at} p where p.part is not null
    ),`;
  });
  const all = statusAt.map((_, at) => `select part from parts_${at}`).join(' union ');
  return `${found.join('\n    ')} parts as (select part from (${all}) known where ${fitting(walk).join(' and ')}),`;
}

/** Of the parts that are there, those that can hold a match. */
function fitting({ bind, filters, order: { parts } }: Parts): string[] {
  if (parts === 'model_year') return ['part is not null'];
  const { first, last, conditions } = lotsOf(filters);
  return [
    `part & 3 in (${conditions.join(', ')})`,
    ...(parts === 'lot'
      ? [`part >> 2 & ${LAST_LOT_YEARS} between ${first} and ${last}`]
      : traitRange('price', filters.price_range, 'part >> 2', bind, GRADE_BITS)),
  ];
}

/**
 * Conditions that no index can answer and that the planner takes for true of every other row, however rare they look to
 * it: it is left with the index that the order asks for.
 */
export const hidden = (conditions: readonly string[]) =>
  conditions.length === 0 ? [] : [`coalesce(${conditions.join(' and ')}, false)`];

/** What the traits say of these is all there is to say. */
const EXACT = new Set(Object.values(TRAITS).flatMap(({ column, exact }) => (exact ? [`s.${column}`] : [])));
const toldByTraits = ({ column }: Condition) => EXACT.has(column);

/**
 * Walks for each status and each part of the order's index: those along the keys, and those among listings without one,
 * which come last and only when all that was met before, `keyed`, does not fill the page.
 */
export function walks(walk: Parts, source: Source): { keyed: string[]; keyless: string[] } {
  const { bind, filters, statusAt, conditions, query, order, position, rows } = walk;
  const { direction, key, nullable } = order;
  const isByKey = order.parts === 'model_year';
  const inTurn = isByKey ? `(select part from parts order by part ${direction})` : 'parts';
  const [from, part] =
    order.parts === null ? ['', []] : [`${inTurn} p, lateral `, [`s.${order.parts} = p.part`]];
  // What the index tells exactly is judged on the way, the rest guessed on the way and judged at each listing met.
  const ofKey = ({ column }: Condition) => column === key;
  const onTheWay = conditions.filter(ofKey).map(({ text }) => text);
  const guessed = order.indexed ? hidden(traitConditionsOf(filters, key, bind)) : [];
  const judged = hidden([
    ...conditions
      .filter((condition) => !ofKey(condition) && !toldByTraits(condition))
      .map(({ text }) => text),
    ...(query === null ? [] : [hasWords(query, 's')]),
  ]);
  const there = position.present?.(key, 's.dedup_hash');
  const bounded = source === 'sample' ? [withinBound(order, 's.dedup_hash', 'bound')] : [];
  const by = (from: string, of: string) => `${of} ${direction}, ${from}.dedup_hash ${direction}`;

  const along = (within: readonly string[], last = 'true') =>
    statusAt.map((status) => {
      const inOrder = (where: readonly string[]) =>
        `select s.dedup_hash, ${key} as key from listing_search s where ${where.join(' and ')} order by ${by('s', key)}`;
      const met = order.indexed
        ? `select c.dedup_hash, c.key from (${inOrder([onShelf(status), ...part, ...onTheWay, ...within, ...guessed])}) c
            ${judged.length === 0 ? '' : `, lateral (select from listing_search s where s.account_id = $1 and s.dedup_hash = c.dedup_hash and ${judged.join(' and ')} offset 0) judged`}
            order by ${by('c', 'c.key')}`
        : inOrder([
            ...[...ofStatus(status), ...part, ...within],
            ...[...texts(conditions), ...(query === null ? [] : hidden([hasWords(query, 's')]))],
          ]);
      return `union all (select hit.dedup_hash, hit.key from ${from}(${met} limit ${rows}) hit where (select walked from way) and ${last}${isByKey ? ` limit ${rows}` : ''})`;
    });
  return {
    keyed: there === undefined ? [] : along([...(nullable ? [`${key} is not null`] : []), there, ...bounded]),
    keyless: nullable
      ? along([`${key} is null`, position.absent('s.dedup_hash')], `(select count(*) from keyed) < ${rows}`)
      : [],
  };
}
