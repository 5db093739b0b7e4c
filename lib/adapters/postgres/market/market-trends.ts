import { IN_MARKET, MARKET_LEVELS, MARKET_MODEL } from '../../../domain/market/market-levels.ts';
import {
  addWeeks,
  carriedOver,
  type History,
  type HistoryStep,
  type KnownWeek,
  lastWeeks,
  MOST_WEEKS,
  replay,
  type Week,
  weekSeen,
} from '../../../domain/market/market-weeks.ts';
import { MARKET_JOB, type TruckKind } from '../../../ports/market.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { modelKey } from './market-key.ts';

/** Histories of at most `bound` listings; null when there are more. */
export async function liveHistories(
  sql: Sql,
  { make, model, truckClass }: TruckKind,
  bound: number,
): Promise<History[] | null> {
  const rows = await sql.query<StepRow & { picked: number }>(LIVE_HISTORIES, [
    make,
    model,
    truckClass,
    bound + 1,
  ]);
  return (rows[0]?.picked ?? 0) > bound ? null : toHistories(rows);
}

/** The known weeks per class: those from `since` on, and the newest of each class however old. */
export async function knownWeeks(sql: Sql, { make, model, truckClass }: TruckKind, since: string) {
  const level = make === null ? MARKET_LEVELS.all : model === null ? MARKET_LEVELS.make : MARKET_LEVELS.model;
  const rows = await sql.query<KnownWeek & { class: string }>(KNOWN_WEEKS, [
    level,
    make ?? '',
    model ?? '',
    truckClass,
    since,
  ]);
  return [...Map.groupBy(rows, (row) => row.class).values()];
}

/**
 * Counts the weeks of one dirty kind of truck again, whole, from the histories of its listings, and the sums above it.
 * Answers false when nothing was dirty, null when the lease is lost.
 */
export function foldTrend(sql: Sql, fence: number): Promise<boolean | null> {
  return sql.transaction(async (bound) => {
    const held = await bound.query(HOLD_LEASE, [MARKET_JOB, fence]);
    if (held.length === 0) return null;
    const [kind] = await bound.query<{ make: string; model: string; class: string; now: number }>(TAKE_TREND);
    if (!kind) return false;
    const weeks = lastWeeks(kind.now, MOST_WEEKS);
    const { make, model, class: truckClass } = kind;
    const histories = toHistories(await bound.query<StepRow>(HISTORIES, [make, model, truckClass]));
    await write(
      bound,
      [MARKET_LEVELS.model, make, model, truckClass],
      weeks,
      replay(histories, weeks).map(weekSeen),
    );
    const levels = [
      [MARKET_LEVELS.make, make],
      [MARKET_LEVELS.all, ''],
    ] as const;
    for (const [level, ofMake] of levels) {
      const rows = await bound.query<KnownWeek & { part: string }>(WEEK_PARTS, [
        level + 1,
        ofMake,
        truckClass,
      ]);
      const parts = [...Map.groupBy(rows, ({ part }) => part).values()].map((known) =>
        carriedOver(known, weeks),
      );
      const sums = weeks.map((_, at) => addWeeks(parts.flatMap((part) => part[at] ?? [])));
      await write(bound, [level, ofMake, '', truckClass], weeks, sums);
    }
    return true;
  }, 'job');
}

async function write(
  sql: Sql,
  key: readonly [level: number, make: string, model: string, truckClass: string],
  weeks: readonly string[],
  tallies: readonly Week[],
): Promise<void> {
  const rows = weeks.map((week, at) => ({ week, tallies: tallies[at] }));
  const begun = rows.findIndex(({ tallies: of }) => of && (of.supply.n > 0 || of.sold.n > 0));
  await sql.query(CLEAR_WEEKS, key);
  await sql.query(FILL_WEEKS, [...key, JSON.stringify(begun < 0 ? [] : rows.slice(begun))]);
}

interface StepRow extends HistoryStep {
  seller: string;
  /** Null beside `picked` when no listing has a history. */
  listing: string | null;
}

function toHistories(rows: readonly StepRow[]): History[] {
  const listings = Map.groupBy(
    rows.filter(({ listing }) => listing !== null),
    ({ seller, listing }) => `${seller} ${listing}`,
  );
  return [...listings.values()].map((steps) => ({ seller: steps[0]?.seller ?? '', steps }));
}

const OF_KIND = `${IN_MARKET} and status in ('available', 'sold', 'delisted') and ($1::text is null or make = $1)
        and ($2::text is null or ${MARKET_MODEL} = ${modelKey('$2::text')})`;
const STEP = `extract(epoch from e.at)::float8 * 1000 as at, e.kind, e.new_price as price`;

/** Too many are found to be too many within the index, before any of them is looked at. */
const LIVE_HISTORIES: Statement = {
  text: `
    with counted as materialized (
      select count(*)::int as picked from (
        select status, make, model from listing_search where ${OF_KIND} limit $4
      ) few
    ), picked as materialized (
      select account_id, dedup_hash, truck_class from listing_search where ${OF_KIND}
        and (select picked < $4 from counted)
    )
    select c.picked, p.account_id as seller, encode(p.dedup_hash, 'hex') as listing, ${STEP}
    from counted c left join (picked p
      join listing_events e on e.account_id = p.account_id and e.dedup_hash = p.dedup_hash)
      on $3::text is null or p.truck_class = $3
    order by p.account_id, p.dedup_hash, e.version, e.kind <> 'created'`,
};

const HISTORIES: Statement = {
  role: 'job',
  text: `
    select s.account_id as seller, encode(s.dedup_hash, 'hex') as listing, ${STEP}
    from listing_search s join listing_events e on e.account_id = s.account_id and e.dedup_hash = s.dedup_hash
    where ${IN_MARKET} and s.status in ('available', 'sold', 'delisted') and s.make = $1 and ${modelKey('s.model')} = $2
      and coalesce(s.truck_class, '') = $3
    order by s.account_id, s.dedup_hash, e.version, e.kind <> 'created'`,
};

const HOLD_LEASE: Statement = {
  role: 'job',
  text: 'select fence from leases where job = $1 and fence = $2 for update',
};

const TAKE_TREND: Statement = {
  role: 'job',
  text: `
    delete from market_trends_dirty d using (select make, model, truck_class from market_trends_dirty limit 1) t
    where d.make = t.make and d.model = t.model and d.truck_class = t.truck_class
    returning d.make, d.model, d.truck_class as class, extract(epoch from now())::float8 * 1000 as now`,
};

const OF_LEVEL = `w.level = $1 and w.make = $2 and w.model = ${modelKey('$3::text')}
        and ($4::text is null or w.truck_class = $4)`;

const KNOWN_WEEKS: Statement = {
  prepared: true,
  text: `
    select * from (
      select w.truck_class as class, w.week, w.tallies from market_weeks w where ${OF_LEVEL} and w.week >= $5
      union all
      select last.* from (select distinct w.truck_class from market_weeks w where ${OF_LEVEL}) classes, lateral (
        select w.truck_class as class, w.week, w.tallies from market_weeks w
        where ${OF_LEVEL} and w.truck_class = classes.truck_class order by w.week desc limit 1
      ) last where last.week < $5
    ) known order by class, week`,
};

const WEEK_PARTS: Statement = {
  role: 'job',
  text: `
    select w.make || ' ' || w.model as part, w.week, w.tallies from market_weeks w
    where w.level = $1 and ($2 = '' or w.make = $2) and w.truck_class = $3 order by w.week`,
};

const CLEAR_WEEKS: Statement = {
  role: 'job',
  text: 'delete from market_weeks where level = $1 and make = $2 and model = $3 and truck_class = $4',
};

const FILL_WEEKS: Statement = {
  role: 'job',
  text: `
    insert into market_weeks (level, make, model, truck_class, week, tallies)
    select $1, $2, $3, $4, week, tallies from json_to_recordset($5::json) as r(week text, tallies json)`,
};
