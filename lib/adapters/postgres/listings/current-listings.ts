/** The JSON text of a page as the present record table has it; nearly always it is of it and passes as it lies. */
export async function toCurrentListings(json: string, isCurrent: boolean): Promise<string> {
  if (isCurrent) return json;
  const { projectListing } = await import('../../../domain/listing/project-listing.ts');
  const listings: Parameters<typeof projectListing>[0][] = JSON.parse(json);
  return JSON.stringify(listings.map((listing) => projectListing(listing)));
}
