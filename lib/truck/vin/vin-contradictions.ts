import type { ListingDoc, VinDecoded } from '../listing/truck.ts';
import { type Warning, warn } from '../listing/warn.ts';
import { mayShareVins } from './make-families.ts';
import { isHiddenAsNoTruck, notATruck } from './not-a-truck.ts';
import { computeCheckDigit, hasVinCharacters, isNorthAmerican } from './vin.ts';
import { type Neighbourhood, suggestVins } from './vin-suggestions.ts';

/**
 * Where the listing and its VIN disagree: warnings, never a reject. Without tables for the maker only VINs that
 * have to follow 49 CFR 565 are checked by it.
 *
 * @param known what VINs that are one slip away stand for, as far as they were looked up
 */
export function vinWarnings(
  doc: ListingDoc,
  decoded: VinDecoded | null,
  { currentYear, neighbours }: Neighbourhood & { currentYear: number },
): Warning[] {
  if (!hasVinCharacters(doc.vin)) return [];
  const warnings = [year, make, weightClass, kind].map((check) => check(doc, decoded));
  const known = { neighbours: new Map([...neighbours, [doc.vin, decoded]]) };
  return [checkDigit(doc, known, currentYear), ...warnings].filter((warning) => warning !== null);
}

export const hasWrongCheckDigit = (vin: string): boolean =>
  hasVinCharacters(vin) && computeCheckDigit(vin) !== vin.charAt(8);

/**
 * A wrong check digit, where VINs have to have one: of the US, Canada, Mexico, and of makers that the tables know. A VIN
 * of nobody's may be one with a slip in its maker, if that makes it one of the record's make.
 */
function checkDigit(doc: ListingDoc, near: Neighbourhood, currentYear: number): Warning | null {
  const { vin, make } = doc;
  const known = near.neighbours;
  if (!hasWrongCheckDigit(vin)) return null;
  const needsCheckDigit = isNorthAmerican(vin) || known.get(vin) != null;
  const isOfMake = (other: string) => {
    const maker = known.get(other)?.make ?? null;
    return maker !== null && make !== null && mayShareVins(maker, make);
  };
  const isLikely = (other: string) => needsCheckDigit || isOfMake(other);
  const suggestions = suggestVins(doc, near, currentYear).filter((each) => isLikely(each.vin));
  if (!needsCheckDigit && suggestions.length === 0) return null;
  return { ...warn('VIN_CHECK_DIGIT', { vin }), ...(suggestions.length > 0 ? { suggestions } : {}) };
}

function year({ vin, year: sent, vin_facts: facts }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const years = facts.model_years;
  const followsRules = decoded !== null || facts.check_digit === 'valid' || isNorthAmerican(vin);
  if (!followsRules || sent === null || years.length === 0 || years.includes(sent)) return null;
  return warn('VIN_YEAR_MISMATCH', { year: sent, years: years.join(' or ') });
}

function make({ make: sent }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const known = decoded?.make ?? null;
  if (known === null || sent === null || mayShareVins(known, sent)) return null;
  return warn('VIN_MAKE_MISMATCH', { make: sent, known });
}

function weightClass({ class: sent, derived }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const known = decoded?.truck_class ?? null;
  if (known === null || sent === null || known === sent) return null;
  const source = derived.includes('class') ? 'gvwr' : 'class';
  const words = (name: string) => name.replace('class_', 'Class ');
  return warn('VIN_CLASS_MISMATCH', { source, class: words(sent), known: words(known) });
}

function kind(doc: ListingDoc): Warning | null {
  const known = notATruck(doc);
  const advice = isHiddenAsNoTruck(doc)
    ? 'send class or gvwr if it is a truck'
    : 'compare it with the title, or leave the vehicle out if it is no truck';
  return known === null ? null : warn('VIN_NOT_A_TRUCK', { kind: known, advice });
}
