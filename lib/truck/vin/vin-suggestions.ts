import type { ListingDoc, VinDecoded, VinFacts } from '../listing/truck.ts';
import { foldKey } from '../text/text.ts';
import { mayShareVins } from '../vocabulary/makes.ts';
import { decodeModelYears } from './vin.ts';
import { listVinCandidates, type VinCandidate } from './vin-candidates.ts';

/** Ranks corrections of a VIN with a wrong check digit by the truck's other facts. */

export interface VinSuggestion {
  vin: string;
  because: string;
}

/** Decoded VINs; null if the manufacturer is unknown, absent if not looked up. */
export type DecodedVins = ReadonlyMap<string, VinDecoded | null>;

type Truck = Pick<ListingDoc, 'vin' | 'make' | 'model' | 'year' | 'class' | 'derived' | 'vin_facts'>;

const MAX_SUGGESTIONS = 5;
/** How often each kind of slip occurs, as logarithms. */
const SLIP_SCORES = { swapped: 3.4, 'most alike': 3.8, alike: 2.5, other: 0 } as const;
/** The serial number begins here; the positions before it describe model and year. */
const SERIAL_FROM = 11;
const CHECK_DIGIT_AT = 8;

const isInTables = ({ at }: VinCandidate) => at < SERIAL_FROM && at !== CHECK_DIGIT_AT;

/** Lists the candidates that the tables can distinguish: those that differ before the serial number. */
export const listCandidatesToDecode = (vin: string): string[] =>
  listVinCandidates(vin).flatMap((candidate) => (isInTables(candidate) ? [candidate.vin] : []));

/** Suggests VINs, the likeliest first. */
export function suggestVins(truck: Truck, neighbours: DecodedVins, currentYear: number): VinSuggestion[] {
  const sentFit = fitRecord(truck, truck.vin_facts);
  return listVinCandidates(truck.vin)
    .map((candidate) => {
      const decoded = isInTables(candidate) ? neighbours.get(candidate.vin) : undefined;
      const isOther = decoded !== undefined;
      const fit = isOther ? fitRecord(truck, decoded) : sentFit;
      // A slip before the serial number seldom decodes: if the VIN as sent does, the slip is more likely behind it.
      const needless = isOther && fit <= sentFit ? NEEDLESS : 0;
      const score = SLIP_SCORES[candidate.slip] + fit + fitYear(candidate, truck, currentYear) + needless;
      return { ...candidate, score: score + fitSerial(candidate, truck.vin) };
    })
    .sort((one, other) => other.score - one.score || (one.vin < other.vin ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ vin, because }) => ({ vin, because }));
}

const NEEDLESS = -0.5;

/** Scores how well a decoded VIN fits the record, and how many facts the tables have. */
function fitRecord(
  { make, model, class: weightClass, derived }: Truck,
  decoded: Pick<VinFacts, Fact> | null,
): number {
  if (decoded === null) return 0;
  let score = FACTS.filter((name) => decoded[name] !== null).length * FACT_SCORE;
  if (decoded.make !== null && make !== null) score += mayShareVins(decoded.make, make) ? 3 : -3;
  if (decoded.model !== null && model !== null) score += isSameModel(decoded, model) ? 2.5 : -1;
  if (decoded.truck_class !== null && weightClass !== null && !derived.includes('class'))
    score += decoded.truck_class === weightClass ? 1 : -1;
  return score;
}

const fitYear = ({ vin }: VinCandidate, { year }: Truck, currentYear: number): number =>
  year !== null && decodeModelYears(vin, currentYear).includes(year) ? 4 : 0;

/** Scores a slip in the serial number, where digits replace digits and letters are rare. */
function fitSerial({ vin, at, slip }: VinCandidate, receivedVin: string): number {
  if (at < SERIAL_FROM || slip === 'swapped') return 0;
  const isLetter = (text: string) => /[A-Z]/.test(text.charAt(at));
  if (isLetter(vin)) return isLetter(receivedVin) ? -0.7 : -1.6;
  return isLetter(receivedVin) ? -1 : 0;
}

/** Facts that the tables have of real VINs, and seldom of wrong ones. */
const FACTS = [
  'model',
  'truck_class',
  'body_type',
  'engine_model',
  'displacement_l',
  'cylinders',
  'fuel_type',
  'cab',
  'drivetrain',
  'plant_country',
] as const;
const FACT_SCORE = 1.6;
type Fact = (typeof FACTS)[number] | 'make' | 'series';

function isSameModel({ model, series }: Pick<VinFacts, Fact>, recordModel: string): boolean {
  const key = foldKey(recordModel);
  return [model, series].some((name) => {
    const vinModel = foldKey(name ?? '');
    return vinModel !== '' && (key.startsWith(vinModel) || vinModel.startsWith(key));
  });
}
