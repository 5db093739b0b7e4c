import type { Sql, Statement } from '../../db/sql.ts';
import { explainSuspiciousPrice } from '../../truck/price/price-envelope.ts';
import { STEPS } from '../figures/market-rule.ts';
import type { HistoryStep } from '../figures/market-spells.ts';
import type { TruckKind } from '../filters.ts';
import { type ScanRow, scan, scanStatements, takeWholeLevels, toModelKey } from './scan.ts';

/** Histories of trucks. Those for sale and those that left are sampled apart, because far fewer have left. */

/** The most histories to read of each. */
const MAX_HISTORIES = 300;
/** The most of the caller's own histories to read; more are sampled. */
const MAX_OWN_HISTORIES = 5_000;

type Step = [at: number, kind: HistoryStep['kind'], price: number | null];
interface HistoryRow extends ScanRow {
  hash: string;
  year: number;
  truckClass: string | null;
  body: string | null;
}

/** Reads histories of other sellers' trucks that were for sale since a moment: those for sale now, and those that left. */
export async function readOthersHistories(db: Sql, caller: string, kind: TruckKind, since: number) {
  const read = async (statements: ReturnType<typeof scanStatements>, more: readonly unknown[]) => {
    const { trucks, oneIn } = await scan<HistoryRow>(db, statements, caller, kind, MAX_HISTORIES, more);
    const histories = await db.query<{ seller: string; hash: string; steps: Step[] }>(STEPS_OF, [
      JSON.stringify(trucks),
    ]);
    const stepsOf = new Map(histories.map(({ seller, hash, steps }) => [`${seller} ${hash}`, steps]));
    return {
      trucks: trucks.flatMap((row) => toHistory(row, stepsOf.get(`${row.seller} ${row.hash}`) ?? null)),
      oneIn,
    };
  };
  return Promise.all([read(FOR_SALE, [kind.class]), read(GONE, [kind.class, since / 1_000])]);
}

export async function readOwnHistories(db: Sql, caller: string, kind: TruckKind, since: number) {
  const { make = null, model = null, class: truckClass = null } = kind;
  const values = [caller, make, model, truckClass, since / 1_000, MAX_OWN_HISTORIES + 1];
  const rows = await db.query<HistoryRow & { steps: Step[] | null }>(OWN, values);
  const { trucks, oneIn } = takeWholeLevels(rows, MAX_OWN_HISTORIES);
  return [{ trucks: trucks.flatMap((row) => toHistory(row, row.steps)), oneIn }];
}

function toHistory({ seller, vin, year, truckClass, body }: HistoryRow, steps: Step[] | null) {
  if (steps === null) return [];
  // The listing is in the market, so its last price is not suspicious.
  const [, , last = null] = steps.at(-1) ?? [];
  const record = { year, class: truckClass, body_type: body, mileage: null, confirmed_price: last };
  const isSuspicious = (price: number | null, at: number) =>
    explainSuspiciousPrice({ ...record, price }, new Date(at).getUTCFullYear()) !== null;
  const toStep = ([at, kind, price]: Step) => ({ at, kind, price: isSuspicious(price, at) ? null : price });
  return [{ seller, vin, steps: steps.map(toStep) }];
}

/** The most changes and the most other steps to read of a listing, the newest; the first step is always read. */
const MAX_STEPS = 60;

/** SQL for the newest steps of each listing among the events `from`. */
const lastSteps = (from: string) => `(
      select * from (
        select e.*, row_number() over (
          partition by e.account_id, e.dedup_hash, e.kind = 'changed' order by e.version desc, e.kind desc) as nth
        from ${from}
      ) as numbered where nth <= ${MAX_STEPS} or version = 1) as e`;

/** SQL for the steps of a listing as JSON, oldest first; `price` is SQL for the price of each. */
const stepsAs = (price: string) => `json_agg(
      json_build_array(date_part('epoch', e.at) * 1000, e.kind, ${price}) order by e.version, e.kind <> 'created') as steps`;

const ROUNDED_PRICE = `(e.new_price + ${STEPS.price / 2}) / ${STEPS.price} * ${STEPS.price}`;

/** Reads the steps of the listings in $1, which come from a scan. */
const STEPS_OF: Statement = {
  text: `
    /* all accounts */ select e.account_id as seller, encode(e.dedup_hash, 'hex') as hash, ${stepsAs(ROUNDED_PRICE)}
    from ${lastSteps(`json_to_recordset($1) as p(seller text, hash text)
          join listing_events e on e.account_id = p.seller and e.dedup_hash = decode(p.hash, 'hex')`)}
    group by e.account_id, e.dedup_hash`,
};

const KIND = '($7::text is null or s.truck_class = $7)';
const READ = {
  columns: 'truck_class, body_type, dedup_hash',
  output: `encode(s.dedup_hash, 'hex') as hash, s.model_year as year, s.truck_class as "truckClass", s.body_type as body`,
};

const FOR_SALE = scanStatements({ ...READ, status: `'available'`, where: KIND });

/** `updated_at` changes with every event of a truck. */
const GONE = scanStatements({
  ...READ,
  status: `'sold', 'delisted'`,
  where: `${KIND} and s.updated_at >= to_timestamp($8::float8)`,
});

const OWN: Statement = {
  text: `
    with p as materialized (
      select coalesce(market_level, 0) as level, model_year as year, truck_class as "truckClass", body_type as body,
        market_level is not null as in_market, account_id as seller, vin, dedup_hash as hash
      from listing_search
      where account_id = $1 and ($2::text is null or make = $2)
        and ($3::text is null or ${toModelKey('model')} = ${toModelKey('$3::text')})
        and ($4::text is null or truck_class = $4)
        and (status = 'available' or updated_at >= to_timestamp($5::float8))
      order by coalesce(market_level, 0) desc limit $6
    )
    select p.*, 0 as scanned, h.steps from p, lateral (
      select ${stepsAs('case when p.in_market then e.new_price end')} from ${lastSteps(
        'listing_events e where e.account_id = $1 and e.dedup_hash = p.hash',
      )}) as h`,
};
