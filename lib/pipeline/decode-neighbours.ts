import type { Candidate } from '../truck/listing/listing-change.ts';
import { hasWrongCheckDigit } from '../truck/vin/vin-contradictions.ts';
import { candidatesToDecode, type DecodedVins } from '../truck/vin/vin-suggestions.ts';
import type { DecodeVins } from './vin-decoder/decode-vins.ts';

/** Of one batch: some 40 VINs each are looked up. The suggestions of further trucks do without. */
const MAX_TRUCKS = 25;

/** What the VINs stand for that trucks with a wrong check digit may have. */
export async function decodeNeighbours(
  batch: readonly Candidate[],
  decodeVins: DecodeVins,
): Promise<DecodedVins> {
  const wrong = batch.filter(({ truck }) => hasWrongCheckDigit(truck.vin)).slice(0, MAX_TRUCKS);
  const asked = wrong.flatMap(({ truck }) =>
    candidatesToDecode(truck.vin).map((vin) => ({ vin, year: truck.fields.year })),
  );
  if (asked.length === 0) return new Map();
  const found = await decodeVins(asked);
  return new Map(asked.map(({ vin }, index) => [vin, found[index] ?? null]));
}
