import type { Sql, Statement } from '../../db/sql.ts';
import { wordVector } from '../../search/queries/search-conditions.ts';
import type { ListingUpkeep, RewrittenListing } from '../port.ts';
import { RECORD_VERSION } from './record-version.ts';
import { locked } from './row-locks.ts';
import { CHANGED_NOW, SEARCH_ROW, toSearchRow } from './search-row.ts';

export function postgresListingUpkeep(sql: Sql): ListingUpkeep {
  return {
    thinHistories: async (accountId, max) => (await sql.query(THIN_HISTORIES, [accountId, max])).length,
    findOutdated: (max) => sql.query(OUTDATED, [max]),
    rewrite: (accountId, listings) => rewriteListings(sql, accountId, listings, 'unseen'),
  };
}

/**
 * Prices of the API that stood for part of a day, of account $1, at most $2 of them; the day's last one stays. What a
 * feed's run did stays too: runs are listed with their changes.
 */
const THIN_HISTORIES: Statement = {
  role: 'job',
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

const some = (comparison: string) => `
    (select account_id as "accountId", encode(dedup_hash, 'hex') as "dedupHash", version,
      doc, quality, images from listings
      where record_version ${comparison} '${RECORD_VERSION}' and version > 0 limit $1)`;

/** By two ranges of the index: "is not" would read every listing. */
const OUTDATED: Statement = {
  role: 'job',
  text: `/* all accounts */ ${some('<')} union all ${some('>')} limit $1`,
};

/** What a visible change brings along, beside the words of the statement below. */
const SEEN = { listing: ', version = l.version + 1, updated_at = now()', search: `, ${CHANGED_NOW}` };
/** Neither version, history nor times change. What was sent is to be read by the new table. */
const UNSEEN = { listing: ', input_hash = null', search: '' };

/** A listing that is locked is left for later. */
const rewrite = ({ listing, search }: typeof SEEN): Statement => ({
  role: 'job',
  text: `
    with ${SEARCH_ROW.secret}, input as materialized (
      select decode(r.h, 'hex') as hash, r.* from json_to_recordset($2::json) as r(
        h text, v int, d json, q json, words text, ${SEARCH_ROW.definitions})
    ), target as materialized (${locked(`
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

/** `visibly`: pollers and searches see the change. */
export async function rewriteListings(
  sql: Sql,
  accountId: string,
  listings: readonly RewrittenListing[],
  how: keyof typeof REWRITE,
): Promise<number> {
  const rows = listings.map(({ dedupHash, version, doc, words, isInMarket }) => {
    const { images: _, quality, ...rest } = doc;
    // What is missing from the quality tells whether images counted.
    const liveImages = quality.missing.includes('images') ? 0 : 1;
    return {
      h: dedupHash,
      v: version,
      d: rest,
      q: quality,
      words,
      ...toSearchRow({ doc, liveImages, isInMarket }),
    };
  });
  const [row] = await sql.query<{ rewritten: number }>(REWRITE[how], [accountId, JSON.stringify(rows)]);
  return row?.rewritten ?? 0;
}
