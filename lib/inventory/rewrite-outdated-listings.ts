import type { Sql } from '../db/sql.ts';
import { isInMarket } from '../market/figures/is-in-market.ts';
import { mapInTurns } from '../pipeline/batch/in-turns.ts';
import { searchText } from '../pipeline/index-listing.ts';
import { projectListing } from '../truck/listing/project-listing.ts';
import { findOutdated, type OutdatedListing, rewriteListings } from './queries/outdated-listings.ts';

const MAX_SLICE = 500;
const MAX_SLICES = 40;

/**
 * Rewrites listings of an older record table, some thousands at a time: reading them costs more than reading what is
 * stored as it is answered, and a new field can be searched only once it is a column.
 */
export async function rewriteOutdatedListings(db: Sql, now: number): Promise<number> {
  const currentYear = new Date(now).getUTCFullYear();
  let rewritten = 0;
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const outdated = await findOutdated(db, MAX_SLICE);
    let inSlice = 0;
    for (const [accountId, some] of Map.groupBy(outdated, (listing) => listing.accountId))
      inSlice += await rewriteListings(
        db,
        accountId,
        await mapInTurns(some, (listing) => project(listing, currentYear)),
        'unseen',
      );
    rewritten += inSlice;
    // Whatever is locked now is rewritten by the next run.
    if (outdated.length < MAX_SLICE || inSlice === 0) break;
  }
  return rewritten;
}

function project({ dedupHash, version, doc, quality, images }: OutdatedListing, currentYear: number) {
  const projected = projectListing({ ...doc, quality, images });
  const words = searchText(projected);
  return { dedupHash, version, doc: projected, words, isInMarket: isInMarket(projected, currentYear) };
}
