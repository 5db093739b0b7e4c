import { selectLocked } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { mapYielding } from '../../pipeline/batch/map-yielding.ts';
import { wordVector } from '../../search/queries/search-conditions.ts';
import { searchText } from '../../search/words/search-text.ts';
import type { ListingDoc } from '../../truck/listing/truck.ts';
import { isInMarket } from '../../truck/price/is-in-market.ts';
import { RECORD_VERSION } from './record-version.ts';
import { CHANGED_NOW, SEARCH_ROW, toSearchRow } from './search-row.ts';

/** Forgets prices of past days but the last of each, at most `max` at a time; returns how many. */
export const thinHistories = async (sql: Sql, accountId: string, max: number): Promise<number> =>
  (await sql.query(THIN_HISTORIES, [accountId, max])).length;

/**
 * Prices of the API that stood for part of a day, of account $1, at most $2 of them; the day's last one stays. What a
 * feed's run did stays too: runs are listed with their changes.
 */
const THIN_HISTORIES: Statement = {
  timeout: 'job',
  text: `
    with passing as (
      select e.dedup_hash, e.version from listing_events e
      where e.account_id = $1 and e.kind = 'changed' and e.run_no is null and e.at < now() - interval '2 days'
        and exists (
          select 1 from listing_events n where n.account_id = $1 and n.dedup_hash = e.dedup_hash
            and n.version > e.version and n.kind = 'changed' and date_trunc('day', n.at) = date_trunc('day', e.at))
      limit $2
    )
    delete from listing_events e using passing p
    where e.account_id = $1 and e.dedup_hash = p.dedup_hash and e.version = p.version and e.kind = 'changed'
    returning 1 as one`,
};

export interface OutdatedListing {
  accountId: string;
  dedupHash: string;
  version: number;
  doc: Omit<ListingDoc, 'images' | 'quality'>;
  quality: ListingDoc['quality'];
  images: string[];
}

/** Listings of any account whose document is of another version, at most `max`. */
export const findOutdated = (sql: Sql, max: number) => sql.query<OutdatedListing>(OUTDATED, [max]);

const selectOutdated = (comparison: string) => `
    (select account_id as "accountId", encode(dedup_hash, 'hex') as "dedupHash", version,
      doc, quality, images from listings
      where record_version ${comparison} '${RECORD_VERSION}' and version > 0 limit $1)`;

/** By two ranges of the index: "is not" would read every listing. */
const OUTDATED: Statement = {
  timeout: 'job',
  text: `/* all accounts */ ${selectOutdated('<')} union all ${selectOutdated('>')} limit $1`,
};

/** What a visible change brings along, beside the words of the statement below. */
const SEEN = { listing: ', version = l.version + 1, updated_at = now()', search: `, ${CHANGED_NOW}` };
/** Neither version, history nor times change. What was sent is to be read by the new table. */
const UNSEEN = { listing: ', input_hash = null', search: '' };

/** A listing that is locked is left for later. */
const rewrite = ({ listing, search }: typeof SEEN): Statement => ({
  timeout: 'job',
  text: `
    with ${SEARCH_ROW.secret}, input as materialized (
      select decode(r.h, 'hex') as hash, r.* from json_to_recordset($2::json) as r(
        h text, v int, d json, q json, words text, ${SEARCH_ROW.definitions})
    ), target as materialized (${selectLocked(`
      select l.dedup_hash from listings l join input i on i.hash = l.dedup_hash and i.v = l.version
      where l.account_id = $1 order by l.dedup_hash for update of l skip locked`)}
    ), rewritten as (
      update listings l set doc = i.d, quality = i.q, record_version = '${RECORD_VERSION}'${listing}
      from target t join input i on i.hash = t.dedup_hash
      where l.account_id = $1 and l.dedup_hash = t.dedup_hash
    ), searched as (
      update listing_search s set (${SEARCH_ROW.columns}) = (select ${SEARCH_ROW.values} from input i
        where i.hash = s.dedup_hash)${search}
      from target t where s.account_id = $1 and s.dedup_hash = t.dedup_hash
    ), worded as (
      update listing_words w set words_source = i.words, words = ${wordVector('$1', 'i.words')}
      from target t join input i on i.hash = t.dedup_hash
      where w.account_id = $1 and w.dedup_hash = t.dedup_hash and w.words_source <> i.words
    )
    select count(*)::int as rewritten from target`,
});
const REWRITE = { unseen: rewrite(UNSEEN), visibly: rewrite(SEEN) };

interface Rewrite {
  how: keyof typeof REWRITE;
  nowMs: number;
  /** The document to store instead. */
  project(listing: OutdatedListing): ListingDoc;
}

/** Stores listings anew unless another writer was first; returns how many. `visibly`: pollers and searches see the change. */
export async function rewriteListings(
  sql: Sql,
  accountId: string,
  listings: readonly OutdatedListing[],
  { how, nowMs, project }: Rewrite,
): Promise<number> {
  const currentYear = new Date(nowMs).getUTCFullYear();
  const rows = await mapYielding(listings, (listing) => {
    const doc = project(listing);
    const { images: _, quality, ...rest } = doc;
    // What is missing from the quality tells whether images counted.
    const liveImages = quality.missing.includes('images') ? 0 : 1;
    const searched = toSearchRow({ doc, liveImages, isInMarket: isInMarket(doc, currentYear) });
    return {
      h: listing.dedupHash,
      v: listing.version,
      d: rest,
      q: quality,
      words: searchText(doc),
      ...searched,
    };
  });
  const [row] = await sql.query<{ rewritten: number }>(REWRITE[how], [accountId, JSON.stringify(rows)]);
  return row?.rewritten ?? 0;
}

/** The dealer's trucks, those with a place of their own too, by dedup hash behind `after`. */
export const readDealersTrucks = (sql: Sql, accountId: string, slug: string, after: string, max: number) =>
  sql.query<OutdatedListing>(DEALERS_TRUCKS, [accountId, slug, after, max]);

const DEALERS_TRUCKS: Statement = {
  timeout: 'job',
  text: `
    select l.account_id as "accountId", encode(l.dedup_hash, 'hex') as "dedupHash", l.version, l.doc, l.quality, l.images
    from (
      select dedup_hash from listing_search
      where account_id = $1 and dealer = $2 and dedup_hash > decode($3, 'hex') order by dedup_hash limit $4::int
    ) s join listings l on l.account_id = $1 and l.dedup_hash = s.dedup_hash
    order by s.dedup_hash`,
};
