import {
  addCells,
  type Cell,
  cellFor,
  type Marks,
  type Observation,
  type Tallies,
} from '../../../domain/market/market-cell.ts';
import { IN_MARKET, MARKET_LEVELS } from '../../../domain/market/market-levels.ts';
import { MARKET_JOB } from '../../../ports/market.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { modelKey, OBSERVED } from './market-key.ts';

/** What a cell is cut by; '' for model, then make, then class, where a level sums over them. */
interface Key {
  make: string;
  model: string;
  year: number;
  class: string;
}

interface CellRow extends Key {
  tallies: Tallies;
  marks: Marks;
}

/**
 * Counts the cells of at most `limit` dirty marks again, whole, from the listings, and the sums above them from their
 * parts. Null when the lease is lost: its row is locked until all is written, so that there is one writer.
 */
export function foldMarket(sql: Sql, fence: number, limit: number): Promise<number | null> {
  return sql.transaction(async (bound) => {
    const leased = await bound.query(HOLD_LEASE, [MARKET_JOB, fence]);
    if (leased.length === 0) return null;
    const taken = await bound.query<Key>(TAKE, [limit]);
    if (taken.length === 0) return 0;
    const dirty = distinct(taken);

    for (let at = 0; at < dirty.length; at += AT_ONCE) {
      const some = dirty.slice(at, at + AT_ONCE);
      const found = await bound.query<{ listings: ObservedTuple[] | null }>(LISTINGS, [JSON.stringify(some)]);
      const cells = new Map<string, Observation[]>();
      for (const [place, key] of some.entries()) {
        const listings = found[place]?.listings?.map((tuple) => toObservation(tuple, key));
        if (listings) cells.set(keyText(key), listings);
      }
      await write(bound, MARKET_LEVELS.model, some, cells, cellFor);
    }

    const makes = distinct(dirty.map((key) => ({ ...key, model: '' })));
    await sumUp(bound, MARKET_LEVELS.make, makes, (row) => keyText({ ...row, model: '' }));
    const all = distinct(makes.map((key) => ({ ...key, make: '' })));
    await sumUp(bound, MARKET_LEVELS.all, all, (row) => keyText({ ...row, make: '', model: '' }));

    const years = distinct(all.map((key) => ({ ...key, class: '' })));
    await sumUp(bound, MARKET_LEVELS.years, years, ({ year }) => keyText({ ...NOTHING, year }));

    await bound.query(DIRTY_TRENDS, [JSON.stringify(dirty)]);
    return taken.length;
  }, 'job');
}

/** Cells counted by one statement: what they hold is in memory at the same time. */
const AT_ONCE = 50;

/** What an observation has beside its cell; without names, and a row a cell, it travels in half the time. */
type ObservedTuple = [
  seller: string,
  body: string,
  state: string,
  condition: string,
  fuel: string,
  price: number | null,
  mileage: number | null,
];

const toObservation = (
  [seller, body, state, condition, fuel, price, mileage]: ObservedTuple,
  { year, class: truckClass }: Key,
): Observation => ({ seller, year, truckClass, body, state, condition, fuel, price, mileage });

const NOTHING: Key = { make: '', model: '', year: 0, class: '' };

async function sumUp(
  sql: Sql,
  level: keyof typeof PARTS_OF,
  keys: readonly Key[],
  toParent: (row: CellRow) => string,
) {
  const found = await sql.query<CellRow>(PARTS_OF[level], [JSON.stringify(keys), level + 1]);
  await write(sql, level, keys, Map.groupBy(found, toParent), addCells);
}

/** Writes a cell per key; a key without parts has no cell. */
async function write<Part>(
  sql: Sql,
  level: number,
  keys: readonly Key[],
  parts: ReadonlyMap<string, Part[]>,
  count: (parts: Part[]) => Cell,
): Promise<void> {
  const rows = keys.map((key) => {
    const own = parts.get(keyText(key));
    return { ...key, ...(own ? count(own) : {}) };
  });
  await sql.query(CLEAR, [level, JSON.stringify(rows)]);
  await sql.query(FILL, [level, JSON.stringify(rows)]);
}

const keyText = ({ make, model, year, class: truckClass }: Key) =>
  JSON.stringify([make, model, year, truckClass]);

function distinct(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

const HOLD_LEASE: Statement = {
  role: 'job',
  text: 'select fence from leases where job = $1 and fence = $2 for update',
};

const TAKE: Statement = {
  role: 'job',
  text: `
    delete from market_dirty where id in (select id from market_dirty order by id limit $1)
    returning make, model, model_year as year, truck_class as class`,
};

const KEYS = 'json_to_recordset($1::json) as k(make text, model text, year int, class text)';

/** Across accounts: the market is the sum of all sellers. A row per key, in their order. */
const LISTINGS: Statement = {
  role: 'job',
  text: `
    select (
      select json_agg(json_build_array(o.seller, o.body, o.state, o.condition, o.fuel, o.price, o.mileage))
      from (select ${OBSERVED} from listing_search s
        where ${IN_MARKET} and s.status = 'available' and s.make = k.make and ${modelKey('s.model')} = k.model
          and s.model_year = k.year and coalesce(s.truck_class, '') = k.class) as o) as listings
    from rows from (json_to_recordset($1::json) as (make text, model text, year int, class text)) with ordinality
      as k(make, model, year, class, place) order by k.place`,
};

/** Cells one level below, by what they are summed up to. */
const parts = (where: string): Statement => ({
  role: 'job',
  text: `
    select c.make, c.model, c.model_year as year, c.truck_class as class, c.tallies, c.marks
    from ${KEYS} join market_cells c on c.level = $2 and c.model_year = k.year ${where}`,
});
const PARTS_OF = {
  [MARKET_LEVELS.make]: parts('and c.truck_class = k.class and c.make = k.make'),
  [MARKET_LEVELS.all]: parts('and c.truck_class = k.class'),
  [MARKET_LEVELS.years]: parts(''),
};

const ROWS = `json_to_recordset($2::json)
  as r(make text, model text, year int, class text, tallies json, marks json)`;

const CLEAR: Statement = {
  role: 'job',
  text: `
    delete from market_cells c using ${ROWS}
    where r.tallies is null and c.level = $1 and c.make = r.make and c.model_year = r.year
      and c.truck_class = r.class and c.model = r.model`,
};

const FILL: Statement = {
  role: 'job',
  text: `
    insert into market_cells (level, make, model, model_year, truck_class, tallies, marks)
    select $1, make, model, year, class, tallies, marks from ${ROWS} where tallies is not null
    on conflict (level, make, model_year, truck_class, model) do update set
      tallies = excluded.tallies, marks = excluded.marks`,
};

const DIRTY_TRENDS: Statement = {
  role: 'job',
  text: `
    insert into market_trends_dirty (make, model, truck_class)
    select distinct make, model, class from ${KEYS} on conflict do nothing`,
};
