import { canonicalTruck } from '../domain/canonical-truck.ts';
import { type Located, listingDoc } from '../domain/listing-doc.ts';
import { hasCoordinates } from '../domain/place.ts';
import { priceDoubt } from '../domain/price-envelope.ts';
import type { ListingDoc, MergedTruck, VinDecoded, Warning } from '../domain/truck.ts';
import { vinDoubts } from '../domain/vin-doubts.ts';
import { ERRORS } from '../errors.ts';
import type { Geocoder, VinDecoder } from '../ports.ts';
import { type Candidate, type Enriched, type Outcome, proceed, type Reject, refuse } from './stage.ts';

/** The third stage: canonical names, VIN facts, coordinates, quality, image intake. One geocoder call per batch. */

export interface EnrichNeeds {
  geocoder: Geocoder;
  vinDecoder: VinDecoder;
  currentYear: number;
  images?: ImageFindings;
}

/** What became of images that were fetched before the listing is stored, by URL; `pending` when there was no time. */
export type ImageFindings = ReadonlyMap<string, ImageFinding>;
export type ImageFinding =
  | { kind: 'stored' | 'pending' }
  /** No later try will fare better. */
  | { kind: 'dead'; reason: string }
  /** It outlasted all tries that there was time for. */
  | { kind: 'transient'; reason: string };

type Address = Parameters<Geocoder['locate']>[0][number];
type Canonical = ReturnType<typeof canonicalTruck>;
/** A value, or the reason why there is none. */
type Attempt<Value> = { value: Value } | { reject: Reject };

/** Calls at a time when places are looked up one by one. */
const AT_ONCE = 16;

/** One outcome per candidate, in order; a record that cannot be enriched is rejected alone (ENRICH_FAILED). */
export async function enrich(batch: readonly Candidate[], needs: EnrichNeeds): Promise<Outcome<Enriched>[]> {
  const canonicals = batch.map(({ truck }) => attempt('record', () => canonicalTruck(truck)));
  const { images = new Map() } = needs;
  const [located, decoded] = await Promise.all([
    locateAll(canonicals.map(addressOf), needs.geocoder),
    needs.vinDecoder.decode(batch.map(({ truck }) => ({ vin: truck.vin, year: truck.fields.year }))),
  ]);
  return batch.map((candidate, index) => {
    const canonical = canonicals[index];
    const place = located[index];
    if (canonical === undefined || place === undefined) return refuse(enrichFailed('record'));
    if ('reject' in canonical) return refuse(canonical.reject);
    if ('reject' in place) return refuse(place.reject);
    const late = lateImage(canonical.value.truck, images);
    if (late !== null) return refuse(late);
    const vin = decoded[index] ?? null;
    const enriched = attempt('record', () => enrichOne(candidate, canonical.value, place.value, vin, needs));
    return 'reject' in enriched ? refuse(enriched.reject) : proceed(enriched.value);
  });
}

function enrichOne(
  candidate: Candidate,
  { truck, warnings }: Canonical,
  located: Located,
  decoded: VinDecoded | null,
  { currentYear, images = new Map() }: EnrichNeeds,
): Enriched {
  const dead = deadImages(truck, candidate, images);
  const liveImages = truck.images.length - dead.length;
  const doc = listingDoc(truck, {
    dedupHash: candidate.dedupHash,
    located,
    decoded,
    currentYear,
    liveImages,
  });
  const doubts = [
    ...vinDoubts(doc, decoded),
    ...placeDoubts(truck, located),
    ...priceDoubts(doc, currentYear),
  ];
  return {
    ...candidate,
    truck,
    doc,
    liveImages,
    warnings: [...candidate.warnings, ...warnings, ...doubts, ...imageDoubts(dead)],
  };
}

/** Images that are known to be dead: from before, or from fetching them just now. */
function deadImages({ images }: MergedTruck, { stored }: Candidate, findings: ImageFindings) {
  return images.flatMap((url) => {
    const finding = findings.get(url);
    const reason = finding?.kind === 'dead' ? finding.reason : stored?.deadImages?.[url];
    return reason === undefined || finding?.kind === 'stored' ? [] : [{ url, reason }];
  });
}

function imageDoubts(dead: readonly { url: string; reason: string }[]): Warning[] {
  return dead.map(({ url, reason }) => {
    const message = `The image ${url.slice(0, 200)} cannot be had: ${reason}.`;
    return { code: 'IMAGE_FAILED', field: 'images', message };
  });
}

function placeDoubts({ place }: MergedTruck, located: Located): Warning[] {
  if (located?.source !== 'zip' || !place?.state || place.state === located.state) return [];
  const message = `ZIP ${place.zip} is in ${located.state}, but state is ${place.state}.`;
  return [{ code: 'ZIP_STATE_MISMATCH', field: 'zip', message }];
}

function priceDoubts(doc: ListingDoc, currentYear: number): Warning[] {
  const message = priceDoubt(doc, currentYear);
  return message === null ? [] : [{ code: 'PRICE_SUSPICIOUS', field: 'price', message }];
}

/** What to ask the geocoder; null when the record says all or nothing of its place. */
function addressOf(canonical: Attempt<Canonical>): Address | null {
  const place = 'value' in canonical ? canonical.value.truck.place : null;
  if (place === null) return null;
  const { city, state, zip } = place;
  const fillable = zip !== null && (city === null || state === null);
  const asks = fillable || (!hasCoordinates(place) && (zip !== null || city !== null));
  return asks ? { city, state, zip } : null;
}

/** One call for all; only when that throws, one by one, so that a poisonous place is rejected alone. */
async function locateAll(
  addresses: readonly (Address | null)[],
  geocoder: Geocoder,
): Promise<Attempt<Located>[]> {
  const asked = addresses.filter((address) => address !== null);
  const answers = asked.length > 0 ? await locateTogether(asked, geocoder) : [];
  let next = 0;
  return addresses.map((address) => {
    if (address === null) return { value: null };
    return answers[next++] ?? { reject: enrichFailed('location') };
  });
}

async function locateTogether(asked: readonly Address[], geocoder: Geocoder): Promise<Attempt<Located>[]> {
  try {
    const answers = await geocoder.locate(asked);
    if (answers.length === asked.length) return answers.map((value) => ({ value }));
  } catch {
    // One by one below.
  }
  const attempts: Attempt<Located>[] = [];
  for (let start = 0; start < asked.length; start += AT_ONCE) {
    const group = asked.slice(start, start + AT_ONCE);
    attempts.push(...(await Promise.all(group.map((address) => locateOne(address, geocoder)))));
  }
  return attempts;
}

async function locateOne(address: Address, geocoder: Geocoder): Promise<Attempt<Located>> {
  try {
    const answers = await geocoder.locate([address]);
    if (answers.length === 1) return { value: answers[0] ?? null };
  } catch {
    // Rejected below; what the geocoder said is no business of the dealer's.
  }
  return { reject: enrichFailed('location') };
}

function attempt<Value>(field: string, work: () => Value): Attempt<Value> {
  try {
    return { value: work() };
  } catch {
    return { reject: enrichFailed(field) };
  }
}

/** The caller wanted to wait for the images, and one of them may still come. */
function lateImage({ images }: MergedTruck, findings: ImageFindings): Reject | null {
  for (const url of images) {
    const finding = findings.get(url);
    if (finding?.kind !== 'transient') continue;
    const fix = 'Send the record again; or without wait=images, and its images are fetched later.';
    const issues = [{ code: 'ENRICH_FAILED', field: 'images', received: url, fix }] as const;
    const message = `The image ${url.slice(0, 200)} could not be fetched now: ${finding.reason}.`;
    return { ...enrichFailed('images'), message, issues };
  }
  return null;
}

function enrichFailed(field: string): Reject {
  const { when, fix, retryable } = ERRORS.ENRICH_FAILED;
  const issues = [{ code: 'ENRICH_FAILED', field, received: null, fix }] as const;
  return { stage: 'enrich', code: 'ENRICH_FAILED', message: when, issues, retryable };
}
