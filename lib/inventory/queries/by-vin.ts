import { sqlState } from '../../db/connection/errors.ts';
import { prepared, type Sql, type Statement } from '../../db/sql.ts';
import { type AlikeRow, PRICES_ALIKE, toPosition } from '../../market/queries/prices-alike.ts';
import { LIMITS } from '../../truck/fields.ts';
import { findOrigins } from '../../truck/listing/origins.ts';
import { explainQuality } from '../../truck/listing/quality.ts';
import type { ListingDoc } from '../../truck/listing/truck.ts';
import type { ListingAnswer } from '../port.ts';
import { iso } from './iso-time.ts';
import { IMAGES, TIMES } from './listing-json.ts';
import { RECORD_VERSION } from './record-version.ts';

/** Of a price history: its newest. */
const MAX_PRICES = 200;

export interface VinRow {
  doc: Omit<ListingDoc, 'images' | 'quality'>;
  quality: ListingDoc['quality'];
  isCurrent: boolean;
  /** What is answered as it is. */
  rest: Omit<ListingAnswer, keyof ListingDoc | 'origins'> & Pick<ListingAnswer, 'images'>;
}

export async function readByVin(sql: Sql, accountId: string, vin: string): Promise<ListingAnswer | null> {
  const [row] = await sql.query<VinRow>(BY_VIN, [accountId, vin]);
  return row ? toListingAnswer(row) : null;
}

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
export async function toListingAnswer(row: VinRow): Promise<ListingAnswer> {
  const { doc, quality } = row.isCurrent ? row : await project(row);
  return { ...doc, quality: explainQuality(quality), origins: findOrigins(doc), ...row.rest };
}

async function project({ doc: stored, quality: before }: VinRow): Promise<Pick<VinRow, 'doc' | 'quality'>> {
  const { projectListing } = await import('../../truck/listing/project-listing.ts');
  const { quality, ...doc } = projectListing({ ...stored, quality: before });
  return { doc, quality };
}

/** Of listings of a VIN the freshest available one first. */
const FRESHEST = `status = 'available' desc, observed_at desc, dedup_hash`;

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
export const byVin = (more = '', join = ''): Statement => ({
  text: `
    select ${more} l.doc, l.quality, l.record_version = '${RECORD_VERSION}' as "isCurrent",
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
