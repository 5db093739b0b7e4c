import { RECORD_VERSION } from './record-version.ts';

/** Whether all documents of the page in the CTE `page` (with `dedup_hash`) are of the present record table. */
export const areCurrent = (page: string, condition: string): string => `
      (select coalesce(bool_and(l.record_version = '${RECORD_VERSION}'), true)
        from ${page} p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash where p.${condition})`;

/** The JSON text of a page as the present record table has it; nearly always it is of it and passes as it lies. */
export async function toCurrentListings(json: string, isCurrent: boolean): Promise<string> {
  if (isCurrent) return json;
  const { projectListing } = await import('../../../domain/listing/project-listing.ts');
  const listings: Parameters<typeof projectListing>[0][] = JSON.parse(json);
  return JSON.stringify(listings.map((listing) => projectListing(listing)));
}
