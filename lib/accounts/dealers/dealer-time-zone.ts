import { ApiError } from '../../errors.ts';
import type { Geocoder } from '../../outside/outbound.ts';
import { readDealerPlace } from '../../truck/place/place.ts';
import type { AccountDealers, DealerChange } from './port.ts';

const PLACE = ['city', 'state', 'zip'] as const;

/**
 * The change with the time zone that its hours need: the one sent, else that of the dealer's place, which a move derives
 * anew. INVALID_PAYLOAD when there are hours, and neither says it.
 */
export async function withTimeZone(
  change: DealerChange,
  slug: string,
  { dealers, geocoder }: { dealers: AccountDealers; geocoder: Geocoder },
): Promise<DealerChange> {
  const moves = PLACE.some((name) => change[name] !== undefined);
  const isConcerned = change.hours || change.time_zone === null || moves;
  if (change.time_zone || !isConcerned) return change;
  const stored = await dealers.get(slug);
  const wanted = { ...stored, ...change };
  if (!wanted.hours) return change;
  const kept = change.time_zone === null ? null : (stored?.time_zone ?? null);
  if (kept !== null && !moves) return change;
  const time_zone = (await findTimeZone(wanted, geocoder)) ?? kept;
  if (time_zone !== null) return { ...change, time_zone };
  throw new ApiError('INVALID_PAYLOAD', 'time_zone: the dealer’s hours need one.', {
    details: {
      field: 'time_zone',
      reason: 'missing',
      fix: 'Send time_zone, such as America/Chicago, or the dealer’s city and state or ZIP.',
    },
  });
}

/** Of the dealer's place; null when that is not known. */
async function findTimeZone(
  { city = null, state = null, zip = null }: Pick<DealerChange, (typeof PLACE)[number]>,
  geocoder: Geocoder,
): Promise<string | null> {
  const place = readDealerPlace({ city, state, zip });
  const [located = null] = place === null ? [] : await geocoder.locate([place]);
  if (located === null || located === 'later') return null;
  const { default: findZone } = await import('@photostructure/tz-lookup');
  return findZone(located.latitude, located.longitude);
}
