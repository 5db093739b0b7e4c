import { toWords } from '../comparable-text.ts';
import type { KnownFacts, KnownTruck } from '../known-facts.ts';
import type { Claim } from '../truck-claims.ts';

/** What is said of several trucks at once must be so of each: `both are white`, `3 Kenworths`, `37 with a sleeper`. */

/** A search that was made: how many trucks it found, and what is so of all of them. */
export interface FoundTrucks {
  count: number;
  make: string | null;
  model: string | null;
  price_min: number;
  price_max: number;
  mileage_max: number;
  facts: KnownFacts;
}

/** A sentence whose words and figures are known to stand in the facts of any of the trucks it is about. */
export interface Saying {
  text: string;
  /** The text without its claims. */
  rest: string;
  claims: readonly Claim[];
  /** The claims by truck, and the known trucks that each group fits. */
  groups: readonly { claims: readonly Claim[]; fitting: readonly KnownTruck[] }[];
  /** The trucks it names or goes on about; empty: any. */
  meant: readonly KnownTruck[];
  trucks: readonly KnownTruck[];
  searches: readonly FoundTrucks[];
}

/** Whether the sentence is so by these facts alone; null: by no truck's. */
type IsSo = (facts: KnownFacts | null) => boolean;

const BOTH = / (?:both|ambos|ambas) /;
const THEY = / (?:they|these|those|each|ellos|ellas|estos|estas|ils|elles|ces) /;
const AND = /^[\s,]*(?:and|y|e|et|&)\s+(?:(?:the|our|el|la|le)\s+|l')?$/i;
const PLURAL_VERB = /^\s*(?:are|have|were|come|run|both|son|tienen|estan|vienen|sont|ont)(?!\w)/i;

export function isSoOfEach(saying: Saying, isSo: IsSo): boolean {
  const { text, claims, groups, meant, trucks } = saying;
  const isPlain = isSo(null);
  const isNarrowed = !isPlain || groups.some((group) => group.claims.some(narrows));
  if (isNarrowed && !claims.every((claim) => isCounted(claim, saying, isSo))) return false;
  if (isPlain) return true;
  const words = toWords(text);
  const isSoOf = (truck: KnownTruck) => isSo(truck.facts);
  const isBoth = BOTH.test(words);
  if (isBoth || THEY.test(words)) {
    if (meant.length > 1) return meant.every(isSoOf);
    const so = trucks.filter(isSoOf).length;
    return isBoth || meant.length > 0 ? so >= 2 : so === trucks.length;
  }
  return !isJoint(saying) || groups.every(({ fitting }) => fitting.length === 0 || fitting.some(isSoOf));
}

/** Leaves out trucks: a name, or a bound. */
const narrows = (claim: Claim) => !('bound' in claim) || claim.bound === 'least' || claim.bound === 'most';

/** Whether there are as many trucks of the kind as are counted. */
function isCounted(claim: Claim, { groups, trucks, searches }: Saying, isSo: IsSo): boolean {
  if (claim.kind !== 'figure' || !claim.units.includes('truck') || claim.value < 2) return true;
  const kinds = groups.filter((group) => group.claims.some(narrows));
  // “We have 2 trucks, a 2019 Cascadia and a 2015 International” counts those it names.
  if (kinds.length > 1) return claim.value <= kinds.length;
  const [kind] = kinds;
  if ((kind?.fitting ?? trucks).filter(({ facts }) => isSo(facts)).length >= claim.value) return true;
  return searches.some(
    (search) =>
      search.count === claim.value &&
      (kind?.claims ?? []).every((each) => isOfAll(each, search)) &&
      isSo(search.facts),
  );
}

function isOfAll(claim: Claim, search: FoundTrucks): boolean {
  if (claim.kind === 'make' || claim.kind === 'model')
    return claim.name.toLowerCase() === search[claim.kind]?.toLowerCase();
  // “Under $50,000” is read as $49,999, and asked for as $50,000.
  if (claim.kind === 'price' && claim.bound === 'most') return search.price_max <= claim.value + 1;
  if (claim.kind === 'price' && claim.bound === 'least') return search.price_min >= claim.value - 1;
  return claim.kind === 'miles' && claim.bound === 'most' && search.mileage_max <= claim.value + 1;
}

/** `The Cascadia and the T680 are white`. */
const isJoint = ({ rest, groups }: Saying): boolean =>
  groups.some(({ claims }, at) => {
    const next = groups[at + 1]?.claims ?? [];
    const [last, first, end] = [claims.at(-1), next[0], next.at(-1)];
    if (!last || !first || !end) return false;
    return AND.test(rest.slice(last.at, first.at)) && PLURAL_VERB.test(rest.slice(end.at));
  });
