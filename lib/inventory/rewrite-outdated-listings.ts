import type { Sql } from '../db/sql.ts';
import { projectListing } from '../truck/listing/project-listing.ts';
import { findOutdated, type OutdatedListing, rewriteListings } from './queries/outdated-listings.ts';

const MAX_SLICE = 500;
const MAX_SLICES = 40;

/**
 * Rewrites listings of an older record table, some thousands at a time: reading them costs more than reading what is
 * stored as it is answered, and a new field can be searched only once it is a column.
 */
export async function rewriteOutdatedListings(db: Sql, nowMs: number): Promise<number> {
  const project = ({ doc, quality, images }: OutdatedListing) => projectListing({ ...doc, quality, images });
  let rewritten = 0;
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const outdated = await findOutdated(db, MAX_SLICE);
    const before = rewritten;
    for (const [accountId, some] of Map.groupBy(outdated, (listing) => listing.accountId))
      rewritten += await rewriteListings(db, accountId, some, { how: 'unseen', nowMs, project });
    // Whatever is locked now is rewritten by the next run.
    if (outdated.length < MAX_SLICE || rewritten === before) break;
  }
  return rewritten;
}
