import type { Geocoder } from '../outside/outbound.ts';
import type { Located } from '../truck/listing/listing-doc.ts';
import type { Place } from '../truck/listing/truck.ts';
import { findCountry, findOwnPlace } from '../truck/place/country.ts';
import { hasCoordinates } from '../truck/place/place.ts';
import type { OnFault } from './attempt.ts';
import { takeInOrder } from './stage.ts';

type Address = Parameters<Geocoder['locate']>[0][number];
type Answer = Located | 'later' | 'failed';

/** Returns what to ask the geocoder; null if the record, or else its dealer, says all or nothing of the place. */
export function toAddress(recordPlace: Place | null, dealerPlace: Place | null): Address | null {
  const place = findOwnPlace(recordPlace, dealerPlace) ?? dealerPlace;
  if (place === null) return null;
  const { city, zip, country } = place;
  // A city alone is in its dealer's state, if one is there, unless it names another country.
  const atDealer =
    dealerPlace !== null && (country === null || country === findCountry(dealerPlace))
      ? dealerPlace.state
      : null;
  const state = place.state ?? (city !== null && zip === null ? atDealer : null);
  const fillable = zip !== null && (city === null || state === null);
  const asks = fillable || (!hasCoordinates(place) && (zip !== null || city !== null));
  return asks ? { city, state, zip, country } : null;
}

/** Locates all places in one call, in halves if it throws, so that a bad place fails alone. */
export async function locateAll(
  addresses: readonly (Address | null)[],
  geocoder: Geocoder,
  onFault: OnFault | undefined,
): Promise<Answer[]> {
  const next = takeInOrder(
    await locate(
      addresses.filter((address) => address !== null),
      geocoder,
      onFault,
    ),
  );
  return addresses.map((address) => (address === null ? null : next()));
}

async function locate(
  addresses: readonly Address[],
  geocoder: Geocoder,
  onFault: OnFault | undefined,
): Promise<Answer[]> {
  if (addresses.length === 0) return [];
  try {
    const answers = await geocoder.locate(addresses);
    if (answers.length === addresses.length) return answers;
    throw new RangeError('the geocoder returned the wrong number of places');
  } catch (error) {
    const middle = Math.ceil(addresses.length / 2);
    if (middle < addresses.length)
      return [
        ...(await locate(addresses.slice(0, middle), geocoder, onFault)),
        ...(await locate(addresses.slice(middle), geocoder, onFault)),
      ];
    onFault?.('location', error);
    return ['failed'];
  }
}
