import type { Context } from '../../http/context.ts';
import { splitAddress } from '../../truck/place/place.ts';
import { SEARCH_LIMITS } from '../schemas.ts';

const RADIUS =
  /(?<!\p{L})(?:within|a menos de|[aà] moins de) (1000|[1-9]\d{0,2}) ?(?:mi|miles?|millas?|milles)(?!\p{L})(?: (?:of|from|de)(?!\p{L}))?/iu;
const NEAR = /(?<!\p{L})(?:near|cerca de|pr[eè]s de)(?!\p{L})/iu;
const MAX_WORDS = 4;

/**
 * Takes a distance out of a query: `sleeper within 50 miles of Dallas, TX`, `near 75201`. On a dealer's site
 * a city without a state is in the dealer's state, and a distance without a place is from the dealer. Null when the place is
 * not known.
 */
export async function readPlace({ dealer }: Context, query: string) {
  const [start = '', ...behind] = query.replace(RADIUS, ' near ').split(NEAR);
  const distance = RADIUS.exec(query)?.[1];
  if (behind.length === 0 || (distance === undefined && behind.join('').trim() === '')) return null;
  const miles = Number(distance ?? SEARCH_LIMITS.defaultRadius);
  const words = behind.join(' ').trim().split(/\s+/);
  for (let end = Math.min(words.length, MAX_WORDS); end > 0; end -= 1) {
    const place = await locate(splitAddress(words.slice(0, end).join(' ')), dealer);
    if (place === null) continue;
    return { ...place, miles, q: [start, ...words.slice(end)].join(' ').trim() };
  }
  return null;
}

export type Place = Awaited<ReturnType<typeof readPlace>>;

async function locate({ city, state, zip }: ReturnType<typeof splitAddress>, dealer: Context['dealer']) {
  const address =
    dealer && city === '' && zip === null ? dealer : { city, zip, state: state ?? dealer?.state ?? null };
  // What visitors type goes to no remote geocoder; the bundled one loads when a query names a place.
  const { bundledGeocoder } = await import('../../outside/geocoder/gazetteer.ts');
  const [place = null] = await bundledGeocoder().locate([address]);
  return place;
}
