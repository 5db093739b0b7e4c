import type { Context } from '../../http/context.ts';
import { bundledGeocoder } from '../../outside/geocoder/gazetteer.ts';
import { splitAddress } from '../../truck/place/place.ts';
import { SEARCH_LIMITS } from '../schemas.ts';

const RADIUS =
  /(?<!\p{L})(?:within|a menos de|[aà] moins de) (\d{1,3}) ?(?:mi|miles?|millas?|milles)(?!\p{L})(?: (?:of|from|de)(?!\p{L}))?/iu;
const NEAR = /(?<!\p{L})(?:near|cerca de|pr[eè]s de)(?!\p{L})/iu;
const MAX_WORDS = 4;

/**
 * Takes a distance out of a query: `sleeper within 50 miles of Dallas, TX`, `near 75201`. A city without a state is in the
 * dealer's state; a distance without a place is from the dealer. Null when the place is not known.
 */
export async function readPlace({ dealer }: Context, query: string) {
  const [start = '', ...behind] = query.replace(RADIUS, ' near ').split(NEAR);
  if (behind.length === 0) return null;
  const words = behind.join(' ').trim().split(/\s+/);
  const { city = null, state = null, zip = null } = dealer ?? {};
  const candidates = [...words.slice(0, MAX_WORDS).keys()].reverse().map((last) => {
    const address = splitAddress(words.slice(0, last + 1).join(' '));
    return address.city === '' && address.zip === null
      ? { city, state, zip }
      : { ...address, state: address.state ?? state };
  });
  const places = await bundledGeocoder().locate(candidates);
  const index = places.findIndex((place) => place !== null);
  const place = places[index];
  if (!place) return null;
  return {
    q: [start, ...words.slice(candidates.length - index)].join(' ').trim(),
    near: `${place.city}, ${place.state}`,
    radius: Number(RADIUS.exec(query)?.[1] ?? SEARCH_LIMITS.defaultRadius),
  };
}
