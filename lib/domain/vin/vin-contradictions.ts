import type { ListingDoc, VinDecoded } from '../listing/truck.ts';
import { type Warning, warn } from '../listing/warn.ts';
import { notATruck } from './not-a-truck.ts';
import { hasVinCharacters, isNorthAmerican } from './vin.ts';
import { suggestVins } from './vin-suggestions.ts';

/** Makes that share plants or badges, so that a VIN of one is no surprise on the other. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(['Dodge', 'Ram', 'Chrysler', 'Jeep']),
  new Set(['Chevrolet', 'GMC', 'Isuzu', 'Workhorse']),
  new Set([
    'Freightliner',
    'Freightliner Custom Chassis',
    'Mercedes-Benz',
    'Dodge',
    'Sterling',
    'Western Star',
    'Thomas Built',
  ]),
  new Set(['International', 'IC Bus', 'Ford', 'Chevrolet']),
  new Set(['Volvo', 'WhiteGMC', 'GMC', 'Mack', 'Autocar']),
  new Set(['Nissan', 'UD']),
];

/**
 * Where the listing and its VIN disagree: warnings, never a reject. Without tables for the maker only VINs that
 * follow 49 CFR 565 are held to it.
 */
export function vinWarnings(doc: ListingDoc, decoded: VinDecoded | null, currentYear: number): Warning[] {
  if (!hasVinCharacters(doc.vin)) return [];
  const checks = [checkDigit, year, make, weightClass, kind];
  return checks.map((check) => check(doc, decoded, currentYear)).filter((doubt) => doubt !== null);
}

function checkDigit(doc: ListingDoc, decoded: VinDecoded | null, currentYear: number): Warning | null {
  const { vin, vin_facts: facts, make: said, year: modelYear } = doc;
  if (facts.check_digit === 'valid' || !(isNorthAmerican(vin) || decoded !== null)) return null;
  const suggestions = suggestVins(vin, {
    year: modelYear,
    currentYear,
    isMakeRight: decoded?.make != null && decoded.make === said,
    isModelKnown: decoded?.model != null,
  });
  return { ...warn('VIN_CHECK_DIGIT', { vin }), ...(suggestions.length > 0 ? { suggestions } : {}) };
}

function year({ vin, year: said, vin_facts: facts }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const years = facts.model_years;
  const held = decoded !== null || facts.check_digit === 'valid' || isNorthAmerican(vin);
  if (!held || said === null || years.length === 0 || years.includes(said)) return null;
  return warn('VIN_YEAR_MISMATCH', { year: said, years: years.join(' or ') });
}

function make({ make: said }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const known = decoded?.make ?? null;
  if (known === null || said === null || known === said) return null;
  if (FAMILIES.some((family) => family.has(known) && family.has(said))) return null;
  return warn('VIN_MAKE_MISMATCH', { make: said, known });
}

function weightClass({ class: said, derived }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  const known = decoded?.truck_class ?? null;
  if (known === null || said === null || known === said) return null;
  const source = derived.includes('class') ? 'gvwr' : 'class';
  const words = (name: string) => name.replace('class_', 'Class ');
  return warn('VIN_CLASS_MISMATCH', { source, class: words(said), known: words(known) });
}

function kind(doc: ListingDoc): Warning | null {
  const known = notATruck(doc);
  return known === null ? null : warn('VIN_NOT_A_TRUCK', { kind: known });
}
