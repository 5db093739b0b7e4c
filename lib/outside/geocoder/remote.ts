import { type Coordinates, type Fetcher, OutboundFailure } from '../outbound.ts';

/** One look-up over HTTP. */

/** No coordinates beyond these, which hold the United States, Canada and Mexico. */
const BOUNDS = { south: 7, north: 84, west: -180, east: -52 };
const MAX_BYTES = 64 * 1024;

/**
 * Asks the service behind a URL template, whose `{query}` stands for the place as text. The answer is a JSON object
 * with `lat` and `lon` (numbers, or text that is one), or a list of such, of which the first counts. An empty list,
 * null or 404 says that the place is not known: null. Anything else throws.
 */
export async function askRemote(
  { fetcher, url }: { fetcher: Fetcher; url: string },
  place: string,
  timeoutMs: number,
): Promise<Coordinates | null> {
  const answer = await fetcher.fetch({
    url: url.replaceAll('{query}', encodeURIComponent(place)),
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
    timeoutMs,
  });
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new OutboundFailure('connection_failed', `status ${answer.status}`);
  const body: unknown = JSON.parse(new TextDecoder().decode(answer.bytes));
  const first: unknown = Array.isArray(body) ? (body[0] ?? null) : body;
  return first === null ? null : readCoordinates(first);
}

function readCoordinates(answer: unknown): Coordinates | null {
  const { lat, lon } = Object(answer);
  // A blank text would be a zero.
  const [latitude = 0, longitude = 0] = [lat, lon].map((raw) => Number(String(raw).trim() || 'none'));
  if (!Number.isFinite(latitude + longitude)) throw new TypeError('no lat and lon');
  const { south, north, west, east } = BOUNDS;
  const isThere = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
  return isThere ? { latitude: round(latitude), longitude: round(longitude) } : null;
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
