import type { Geocoder } from '../outside/outbound.ts';
import type { Located } from '../truck/listing/listing-doc.ts';
import type { MergedTruck, Place } from '../truck/listing/truck.ts';
import { findCountry, inItsCountry, ownPlace } from '../truck/place/country.ts';
import { hasCoordinates } from '../truck/place/place.ts';
import { type Attempt, enrichFailed, type OnFault } from './attempt.ts';

type Address = Parameters<Geocoder['locate']>[0][number];
type Answer = Located | 'later';

/** Calls at a time when places are looked up one by one. */
const MAX_CONCURRENCY = 16;

/** What to ask the geocoder; null when the record, or else its dealer, says all or nothing of the place. */
export function toAddress({ place: own }: MergedTruck, dealerPlace: Place | null): Address | null {
  const sent = ownPlace(own, dealerPlace) ?? dealerPlace;
  if (sent === null) return null;
  const place = inItsCountry(sent, null, null);
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

/** One call for all; only when that throws, one by one, so that a poisonous place is rejected alone. */
export async function locateAll(
  addresses: readonly (Address | null)[],
  geocoder: Geocoder,
  onFault: OnFault,
): Promise<Attempt<Answer>[]> {
  const asked = addresses.filter((address) => address !== null);
  const answers = asked.length > 0 ? await locateTogether(asked, geocoder, onFault) : [];
  let next = 0;
  return addresses.map((address) => {
    if (address === null) return { value: null };
    return answers[next++] ?? { reject: enrichFailed('location') };
  });
}

async function locateTogether(
  asked: readonly Address[],
  geocoder: Geocoder,
  onFault: OnFault,
): Promise<Attempt<Answer>[]> {
  try {
    const answers = await geocoder.locate(asked);
    if (answers.length === asked.length) return answers.map((value) => ({ value }));
  } catch {
    // One by one below.
  }
  const attempts: Attempt<Answer>[] = [];
  for (let start = 0; start < asked.length; start += MAX_CONCURRENCY) {
    const group = asked.slice(start, start + MAX_CONCURRENCY);
    attempts.push(...(await Promise.all(group.map((address) => locateOne(address, geocoder, onFault)))));
  }
  return attempts;
}

async function locateOne(address: Address, geocoder: Geocoder, onFault: OnFault): Promise<Attempt<Answer>> {
  try {
    const answers = await geocoder.locate([address]);
    if (answers.length === 1) return { value: answers[0] ?? null };
    onFault('location', new RangeError('the geocoder answers the wrong number of places'));
  } catch (error) {
    onFault('location', error);
  }
  return { reject: enrichFailed('location') };
}
