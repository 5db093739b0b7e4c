import type { Sql } from '../../db/sql.ts';
import type { WithHistory } from '../port.ts';
import { byVin, toListingAnswer, type VinRow } from './by-vin.ts';
import { iso } from './iso-time.ts';

/** The listing of a VIN as `byVin` returns it, with what befell it, in one statement. */
export async function readWithHistory(
  sql: Sql,
  accountId: string,
  vin: string,
  max: number,
): Promise<WithHistory | null> {
  type Row = VinRow & Pick<WithHistory, 'events' | 'dealerName'>;
  const [row] = await sql.query<Row>(BY_VIN_WITH_HISTORY, [accountId, vin, max]);
  if (!row) return null;
  const { events, dealerName } = row;
  return { listing: await toListingAnswer(row), dealerName, events };
}

/**
 * What befell the listings of a VIN, newest first. A person's act is in the audit of the same transaction, and so of the
 * same time.
 */
const HISTORY = `
    with acts as materialized (
      select a.at, coalesce(p.email, k.name, a.actor) as actor from audit a
        left join people p on p.account_id = $1 and p.id = a.actor
        left join api_keys k on k.account_id = $1 and k.id = a.actor
      where a.account_id = $1 and a.action like 'listing.%' and a.detail -> 'vins' ? $2
    )
    select e.kind, ${iso('e.at')} as at, e.old_price as "oldPrice", e.new_price as "newPrice",
      r.feed_id as "feedId", r.id as "runId",
      case when e.kind in ('sold', 'delisted', 'relisted') then (
        select actor from acts where acts.at = e.at limit 1) end as actor
    from listings l join listing_events e on e.account_id = $1 and e.dedup_hash = l.dedup_hash
      left join feed_runs r on r.account_id = $1 and r.feed_id = l.feed_id and r.no = e.run_no
    where l.account_id = $1 and l.vin = $2 and l.version > 0
    order by e.at desc, e.version desc limit $3::int`;

const DEALER_NAME = `(select d.name from dealers d where d.account_id = $1 and d.slug = l.doc ->> 'dealer')`;
const BY_VIN_WITH_HISTORY = byVin(
  `(select coalesce(json_agg(e), '[]') from (${HISTORY}) e) as events, ${DEALER_NAME} as "dealerName",`,
);
