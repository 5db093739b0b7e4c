import type { ListingDoc, VinDecoded } from '../listing/truck.ts';
import { type Warning, warn } from '../listing/warn.ts';
import { hasVinCharacters, isNorthAmerican } from './vin.ts';

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
export function vinDoubts(doc: ListingDoc, decoded: VinDecoded | null): Warning[] {
  if (!hasVinCharacters(doc.vin)) return [];
  return [checkDigit(doc, decoded), year(doc, decoded), make(doc, decoded), weightClass(doc, decoded)].filter(
    (doubt) => doubt !== null,
  );
}

function checkDigit({ vin, vin_facts: facts }: ListingDoc, decoded: VinDecoded | null): Warning | null {
  if (facts.check_digit === 'valid' || !(isNorthAmerican(vin) || decoded !== null)) return null;
  return warn('VIN_CHECK_DIGIT', { vin });
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
