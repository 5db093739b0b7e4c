import type * as z from 'zod/mini';
import { sqlState } from '../db/connection/errors.ts';
import { iso } from '../db/fragments.ts';
import { prepared, type Sql, type Statement } from '../db/sql.ts';
import { type AlikeRow, PRICES_ALIKE, toPosition } from '../market/prices-alike.ts';
import { LIMITS } from '../truck/fields.ts';
import { findOrigins } from '../truck/listing/origins.ts';
import { explainQuality } from '../truck/listing/quality.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import { FRESHEST, IMAGES, TIMES } from './queries/listing-json.ts';
import { RECORD_VERSION } from './queries/record-version.ts';
import type { Listing } from './schemas.ts';

/** Of a price history: its newest. */
const MAX_PRICES = 200;

/** A listing as it is answered. */
export type ListingAnswer = Omit<ListingDoc, 'images' | 'quality'> & {
  quality: ReturnType<typeof explainQuality>;
} & Omit<z.output<typeof Listing>, Exclude<keyof ListingDoc, 'images'>>;

interface VinRow {
  doc: Omit<ListingDoc, 'images' | 'quality'>;
  quality: ListingDoc['quality'];
  isCurrent: boolean;
  /** What is answered as it is. */
  rest: Omit<ListingAnswer, keyof ListingDoc | 'origins'> & Pick<ListingAnswer, 'images'>;
}

/** The listing of this VIN: of several providers the freshest available one, with `sources`. */
export async function readByVin(sql: Sql, accountId: string, vin: string): Promise<ListingAnswer | null> {
  const [row] = await sql.query<VinRow>(BY_VIN, [accountId, vin]);
  return row ? toListingAnswer(row) : null;
}

/** The same with `market_position`. */
export async function readByVinInMarket(
  sql: Sql,
  accountId: string,
  vin: string,
): Promise<ListingAnswer | null> {
  type Row = VinRow & { alike?: AlikeRow[] | null };
  const [row] = await sql.query<Row>(BY_VIN_IN_MARKET, [accountId, vin]).catch((error: unknown) => {
    // The server could not reach that of another account: the listing is answered without comparison.
    if (/^(08|XX)/.test(sqlState(error))) return sql.query<Row>(BY_VIN, [accountId, vin]);
    throw error;
  });
  if (!row) return null;
  const listing = await toListingAnswer(row);
  return { ...listing, market_position: toPosition(row.alike ?? [], listing) };
}

/** The answer as the present record table has it; most listings are stored so. */
async function toListingAnswer(row: VinRow): Promise<ListingAnswer> {
  const { doc, quality } = row.isCurrent ? row : await project(row);
  return { ...doc, quality: explainQuality(quality), origins: findOrigins(doc), ...row.rest };
}

async function project({ doc: stored, quality: before }: VinRow): Promise<Pick<VinRow, 'doc' | 'quality'>> {
  const { projectListing } = await import('../truck/listing/project-listing.ts');
  const { quality, ...doc } = projectListing({ ...stored, quality: before });
  return { doc, quality };
}

const PRICES = `(
      select coalesce(json_agg(json_build_object('price', e.new_price, 'at', ${iso('e.at')}) order by e.version), '[]')
      from (select version, new_price, at from listing_events e
        where e.account_id = $1 and e.dedup_hash = l.dedup_hash
          and (e.kind = 'created' or e.old_price is distinct from e.new_price)
          and not (e.kind <> 'created' and e.version = 1)
        order by version desc limit ${MAX_PRICES}) e)`;

const SOURCES = `(
      select json_agg(json_build_object('source_provider_id', nullif(s.source_provider_id, ''),
        'dedup_hash', encode(s.dedup_hash, 'hex'), 'status', s.status, 'observed_at', ${iso('s.observed_at')}))
      from (select * from listings where account_id = $1 and vin = $2 and version > 0
        order by ${FRESHEST} limit ${LIMITS.sources}) s)`;

/** The freshest listing of VIN $2 of account $1, with all of its sources. `join`: further tables of `more`. */
const byVin = (columns = '', join = ''): Statement => ({
  text: `
    select ${columns} l.doc, l.quality, l.record_version = '${RECORD_VERSION}' as "isCurrent",
      json_build_object('images', ${IMAGES}, 'status', l.status, 'price_history', ${PRICES}, 'sources', ${SOURCES},
        ${TIMES}) as rest
    from (select * from listings where account_id = $1 and vin = $2 and version > 0
      order by ${FRESHEST} limit 1) l ${join}`,
});
const BY_VIN = prepared(byVin());
const OWN = byVin(
  'k.make, k.model, k.model_year, k.truck_class,',
  'left join listing_search k on k.account_id = $1 and k.dedup_hash = l.dedup_hash',
);
const BY_VIN_IN_MARKET = prepared({
  text: `
    with own as materialized (${OWN.text}
    )
    select doc, quality, "isCurrent", rest, ${PRICES_ALIKE} as alike from own`,
});

/** Something that befell a listing. */
export interface ListingEvent {
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'vanished' | 'relisted';
  at: string;
  oldPrice: number | null;
  newPrice: number | null;
  /** The feed and its run that did it, if one did. */
  feedId: string | null;
  runId: string | null;
  /** The person who marked it, if one did. */
  actor: string | null;
}

interface History {
  dealerName: string | null;
  events: ListingEvent[];
}
export type ListingWithHistory = ListingAnswer & History;

/** The same as `readByVin` with what its dealer is called, and with what befell it lately, newest first. */
export async function readWithHistory(
  sql: Sql,
  accountId: string,
  vin: string,
): Promise<ListingWithHistory | null> {
  const [row] = await sql.query<VinRow & History>(BY_VIN_WITH_HISTORY, [accountId, vin]);
  return row ? { ...(await toListingAnswer(row)), dealerName: row.dealerName, events: row.events } : null;
}

const MAX_EVENTS = 50;

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
    order by e.at desc, e.version desc limit ${MAX_EVENTS}`;

const DEALER_NAME = `(select d.name from dealers d where d.account_id = $1 and d.slug = l.doc ->> 'dealer')`;
const BY_VIN_WITH_HISTORY = byVin(
  `(select coalesce(json_agg(e), '[]') from (${HISTORY}) e) as events, ${DEALER_NAME} as "dealerName",`,
);
