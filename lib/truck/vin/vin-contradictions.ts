import type { ListingDoc } from '../listing/truck.ts';
import { type Warning, warn } from '../listing/warn.ts';
import { mayShareVins } from '../vocabulary/makes.ts';
import { findOtherVehicle, isHiddenAsNoTruck } from './not-a-truck.ts';
import { computeCheckDigit, hasVinCharacters, isNorthAmerican } from './vin.ts';
import { type DecodedVins, suggestVins } from './vin-suggestions.ts';

/**
 * Warns of contradictions between a listing and its VIN; they never reject it. If the tables do not have the manufacturer,
 * only VINs that must follow 49 CFR 565 are checked.
 *
 * @param neighbours decoded VINs that are one slip away, as far as they were looked up
 */
export function checkVin(
  doc: ListingDoc,
  currentYear: number,
  neighbours: DecodedVins = new Map(),
): Warning[] {
  if (!hasVinCharacters(doc.vin)) return [];
  const warnings = [checkYear, checkMake, checkWeightClass, checkKind].map((check) => check(doc));
  return [checkCheckDigit(doc, neighbours, currentYear), ...warnings].filter((warning) => warning !== null);
}

export const hasWrongCheckDigit = (vin: string): boolean =>
  hasVinCharacters(vin) && computeCheckDigit(vin) !== vin.charAt(8);

/**
 * Warns of a wrong check digit if the VIN must have one: in the US, Canada and Mexico, and of manufacturers in the tables. A
 * VIN of an unknown manufacturer is warned of only if a correction gives it the record's make.
 */
function checkCheckDigit(doc: ListingDoc, neighbours: DecodedVins, currentYear: number): Warning | null {
  const { vin, make: recordMake } = doc;
  if (!hasWrongCheckDigit(vin)) return null;
  const needsCheckDigit = followsRules(doc);
  const suggestions = suggestVins(doc, neighbours, currentYear).filter(({ vin: suggestedVin }) => {
    const maker = neighbours.get(suggestedVin)?.make ?? null;
    return needsCheckDigit || (maker !== null && recordMake !== null && mayShareVins(maker, recordMake));
  });
  if (!needsCheckDigit && suggestions.length === 0) return null;
  return { ...warn('VIN_CHECK_DIGIT', { vin }), ...(suggestions.length > 0 ? { suggestions } : {}) };
}

const followsRules = ({ vin, vin_facts: facts }: ListingDoc): boolean =>
  facts.vehicle_type !== null || isNorthAmerican(vin);

function checkYear(doc: ListingDoc): Warning | null {
  const { year: recordYear, vin_facts: facts } = doc;
  const years = facts.model_years;
  const isKnown = facts.check_digit === 'valid' || followsRules(doc);
  if (!isKnown || recordYear === null || years.length === 0 || years.includes(recordYear)) return null;
  return warn('VIN_YEAR_MISMATCH', { year: recordYear, years: years.join(' or ') });
}

function checkMake({ make: recordMake, vin_facts: { make: vinMake } }: ListingDoc): Warning | null {
  if (vinMake === null || recordMake === null || mayShareVins(vinMake, recordMake)) return null;
  return warn('VIN_MAKE_MISMATCH', { make: recordMake, known: vinMake });
}

function checkWeightClass({
  class: recordClass,
  derived,
  vin_facts: { truck_class: vinClass },
}: ListingDoc): Warning | null {
  if (vinClass === null || recordClass === null || vinClass === recordClass) return null;
  const source = derived.includes('class') ? 'gvwr' : 'class';
  const words = (name: string) => name.replace('class_', 'Class ');
  return warn('VIN_CLASS_MISMATCH', { source, class: words(recordClass), known: words(vinClass) });
}

function checkKind(doc: ListingDoc): Warning | null {
  const vinKind = findOtherVehicle(doc);
  const advice = isHiddenAsNoTruck(doc)
    ? 'send class or gvwr if it is a truck'
    : 'compare it with the title, or leave the vehicle out if it is no truck';
  return vinKind === null ? null : warn('VIN_NOT_A_TRUCK', { kind: vinKind, advice });
}
