import type { ListingDoc } from '../../truck/listing/truck.ts';
import { entryFor, FIELD_NAMES } from '../../truck/record/record.ts';
import { listingTerms } from './listing-terms.ts';
import { indexedWords } from './words.ts';

const TEXT_FIELDS = FIELD_NAMES.filter((name) => entryFor(name).search?.text);
/** Of a description; more would make the index of words the greater part of a write. */
const MAX_DESCRIPTION = 600;

/** Fields of dealers' own that describe the truck; names, places and figures are no words that buyers look for. */
const DESCRIBING = /upfit|equip|desc|note|comment|remark|feature|option|special|notas|equipo|remarque/i;

const describedIn = (attributes: ListingDoc['attributes']) =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (typeof value === 'string' && DESCRIBING.test(name) ? [value] : []))
    .join(' ')
    .slice(0, MAX_DESCRIPTION);

/** The words a listing is found by, separated by blanks: of its searchable fields, VIN and place, and canonical terms. */
export function searchText(doc: ListingDoc): string {
  const words = TEXT_FIELDS.flatMap((name) => doc[name] ?? []).map((value) =>
    String(value).slice(0, MAX_DESCRIPTION).replaceAll('_', ' '),
  );
  const place = [doc.location?.city, doc.location?.state, doc.location?.zip];
  const text = [...words, doc.vin, ...place, describedIn(doc.attributes)].filter(Boolean).join(' ');
  return [...indexedWords(text), ...listingTerms(doc)].join(' ');
}
