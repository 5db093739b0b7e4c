import type { ListingStatus } from '../truck/fields.ts';
import type { KnownStatus, StatusChange } from './queries/status-change.ts';

/** As on the wire. */
export interface StatusResult {
  outcome: 'updated' | 'unchanged' | 'not_found' | 'rejected';
  vin: string;
  status: ListingStatus;
  previous_status: ListingStatus | null;
  updated: number;
}

/**
 * What changes of status do to these listings, given freshest first, one change after the other. Returns a result per
 * change: `rejected` where it would bring back what there is no room for, and nothing else.
 */
export function applyStatuses(
  changes: readonly StatusChange[],
  known: readonly KnownStatus[],
): StatusResult[] {
  const listings = Map.groupBy(known, ({ vin }) => vin);
  return changes.map(({ vin, sourceProviderId, status }) => {
    const all = listings.get(vin) ?? [];
    const named = all.filter(
      (listing) => sourceProviderId === null || listing.sourceProviderId === sourceProviderId,
    );
    const shown = named.find((listing) => listing.status === 'available') ?? named[0];
    if (!shown) return { outcome: 'not_found', vin, status, previous_status: null, updated: 0 };
    const turned = named.filter((listing) => listing.status !== status);
    const changed = new Set(turned.filter(({ isRefused }) => !isRefused));
    // What was just changed is the freshest.
    const rest = all.filter((listing) => !changed.has(listing));
    listings.set(vin, [...[...changed].map((listing) => ({ ...listing, status })), ...rest]);
    if (turned.length > 0 && changed.size === 0)
      return { outcome: 'rejected', vin, status, previous_status: shown.status, updated: 0 };
    const outcome = changed.size > 0 ? 'updated' : 'unchanged';
    return { outcome, vin, status, previous_status: shown.status, updated: changed.size };
  });
}
