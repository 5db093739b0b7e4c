import { toCanonicalTruck } from '../truck/listing/canonical-truck.ts';
import type { Candidate, Enriched } from '../truck/listing/listing-change.ts';
import { type Located, toListingDoc } from '../truck/listing/listing-doc.ts';
import type { MergedTruck, VinDecoded } from '../truck/listing/truck.ts';
import { type Warning, warn } from '../truck/listing/warn.ts';
import { isInDollars, isInMarket } from '../truck/price/is-in-market.ts';
import { explainSuspiciousPrice } from '../truck/price/price-envelope.ts';
import { checkVin, hasWrongCheckDigit } from '../truck/vin/vin-contradictions.ts';
import { type DecodedVins, listCandidatesToDecode } from '../truck/vin/vin-suggestions.ts';
import { attempt } from './attempt.ts';
import { mapYielding } from './batch/map-yielding.ts';
import { locateAll, toAddress } from './locate-places.ts';
import type { PipelineNeeds } from './needs.ts';
import { type Outcome, proceed, toFieldReject, toRejected } from './stage.ts';
import type { DecodeVins } from './vin-decoder/decode-vins.ts';

/** The third stage: canonical names, VIN facts, coordinates, quality, image intake. One geocoder call per batch. */

type EnrichNeeds = Pick<PipelineNeeds, 'geocoder' | 'decodeVins' | 'currentYear' | 'onFault'>;

/** One outcome per candidate, in order; a record that cannot be enriched is rejected alone (ENRICH_FAILED). */
export async function enrich(batch: readonly Candidate[], needs: EnrichNeeds): Promise<Outcome<Enriched>[]> {
  const { onFault } = needs;
  const addresses = batch.map(({ truck, dealerPlace }) => toAddress(truck.place, dealerPlace));
  const vins = batch.map(({ truck }) => ({ vin: truck.vin, year: truck.fields.year }));
  const [places, decoded] = await Promise.all([
    locateAll(addresses, needs.geocoder, onFault),
    needs.decodeVins(vins),
  ]);
  const neighbours = await decodeNeighbours(vins, needs.decodeVins);
  return mapYielding(batch, (candidate, index) => {
    const { vin } = candidate.truck;
    const place = places[index] ?? null;
    if (place === 'failed') return toRejected(vin, toFieldReject('ENRICH_FAILED', 'location'));
    return attempt({ vin, code: 'ENRICH_FAILED', onFault }, () =>
      proceed(
        enrichOne(candidate, place, { decoded: decoded[index] ?? null, neighbours }, needs.currentYear),
      ),
    );
  });
}

function enrichOne(
  candidate: Candidate,
  place: Located | 'later',
  { decoded, neighbours }: { decoded: VinDecoded | null; neighbours: DecodedVins },
  currentYear: number,
): Enriched {
  const { truck, warnings } = toCanonicalTruck(candidate.truck);
  const located = place === 'later' ? null : place;
  const dead = listDeadImages(truck, candidate);
  const liveImages = truck.images.length - dead.length;
  const assumed: Warning[] = [];
  const { dedupHash, dealerPlace } = candidate;
  const doc = toListingDoc(
    truck,
    { dedupHash, located, decoded, currentYear, liveImages, dealerPlace },
    assumed,
  );
  const oddity = isInDollars(doc) ? explainSuspiciousPrice(doc, currentYear) : null;
  return {
    ...candidate,
    // No input has this hash, so the same record is evaluated again.
    inputHash: place === 'later' ? '' : candidate.inputHash,
    truck,
    doc,
    liveImages,
    isInMarket: isInMarket(doc, currentYear),
    warnings: [
      ...candidate.warnings,
      ...warnings,
      ...checkVin(doc, currentYear, neighbours),
      ...(place === 'later' ? [warn('LOCATION_PENDING')] : placeWarnings(truck, located)),
      ...(oddity === null ? [] : [warn('PRICE_SUSPICIOUS', { oddity })]),
      ...assumed,
      ...dead.map(({ url, reason }) => warn('IMAGE_FAILED', { url: url.slice(0, 200), reason })),
    ],
  };
}

/** Images of the stored listing that failed. */
const listDeadImages = ({ images }: MergedTruck, { stored }: Candidate) =>
  images.flatMap((url) => {
    const reason = stored?.deadImages?.[url];
    return reason === undefined ? [] : [{ url, reason }];
  });

function placeWarnings({ place }: MergedTruck, located: Located) {
  if (located?.source !== 'zip' || !place?.state || place.state === located.state) return [];
  const { zip, state } = place;
  return [warn('ZIP_STATE_MISMATCH', { zip: String(zip), actual: String(located.state), state })];
}

/** Trucks of a batch that get suggestions by decoded VINs: each needs some 40 look-ups. */
const MAX_TRUCKS = 25;

/** Decodes the VINs that are one slip away from those with a wrong check digit. */
export async function decodeNeighbours(
  vins: Parameters<DecodeVins>[0],
  decodeVins: DecodeVins,
): Promise<DecodedVins> {
  const misspelled = vins.filter(({ vin }) => hasWrongCheckDigit(vin)).slice(0, MAX_TRUCKS);
  const neighbours = misspelled.flatMap(({ vin, year }) =>
    listCandidatesToDecode(vin).map((candidate) => ({ vin: candidate, year })),
  );
  if (neighbours.length === 0) return new Map();
  const decoded = await decodeVins(neighbours);
  return new Map(neighbours.map(({ vin }, index) => [vin, decoded[index] ?? null]));
}
