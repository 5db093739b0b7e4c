import { MAKES } from '../vocabulary/makes.ts';
import { toComparable, toWords } from './comparable-text.ts';
import { type DealerContact, hasContact, withoutOwnContacts } from './contact-points.ts';
import { areWordsGrounded, hidesPrice, type Statement, saysNotFound } from './grounded-words.ts';
import { isStated, type KnownFacts, type KnownTruck, mergeFacts } from './known-facts.ts';
import { MAX_SENTENCE } from './sentences.ts';
import { offersPrice, sharesPrice, withoutComparisons } from './several/comparisons.ts';
import { type FoundTrucks, isSoOfEach } from './several/said-of-several.ts';
import { type Claim, isNextTo, readClaims, type TruckName, truckName } from './truck-claims.ts';

/** Whether a sentence of the assistant may be said: what it states must stand in what the tools returned. */

export interface Grounds {
  trucks: readonly KnownTruck[];
  dealer: DealerContact;
  /** What is known beside the trucks: the dealer's name and address, counts. */
  facts: KnownFacts;
  searches: readonly FoundTrucks[];
  /** VINs of the trucks that the sentence before was about: what "it" means. */
  subject: readonly string[];
}

/** Why a sentence is not said. */
export type Ungrounded =
  | 'vin'
  | 'price'
  | 'mileage'
  | 'truck'
  | 'number'
  | 'words'
  | 'comparison'
  | 'too_long'
  | 'contact';

/** The trucks that the sentence means for certain, and those that "it" may mean after it; or why it may not be said. */
export type Judgement = { ok: true; vins: string[]; subject: string[] } | { ok: false; reason: Ungrounded };

/** How sentences begin that go on about the truck of the one before; or they are figures alone. */
const GOES_ON =
  /^[\s\-*>"'(:,]*(?:(?:yes|si|oui)\b[\s,:]*)?(?:(?:it|its|it's|this|that|these|they|the price|price|the mileage|mileage|the asking|asking|priced|for|only|just|at|and|with|cuesta|vale|tiene|su|este|esta|ese|esa|el precio|precio|el kilometraje|con|por|solo|y|il|elle|son|sa|ce|cet|cette|le prix|prix|coute|avec|pour|seulement|et)\b|[^a-z]*$)/i;

/** `We have 37 trucks: a 2019 Cascadia, …`: what follows is not said of all that are counted. */
const LISTED = /^([^:]*:)\s+((?:an?|the|un|una|el|la|une|le)\s.*)$/is;

/** Judges one sentence of plain speech. `[[VIN]]` marks count as naming the truck. */
export function judgeSentence(sentence: string, grounds: Grounds): Judgement {
  const whole = judgeWhole(sentence, grounds);
  const [, head, list] = LISTED.exec(sentence) ?? [];
  if (whole.ok || whole.reason !== 'number' || !head || !list) return whole;
  const counted = judgeWhole(head, grounds);
  return counted.ok ? judgeWhole(list, grounds) : counted;
}

function judgeWhole(sentence: string, grounds: Grounds): Judgement {
  const no = (reason: Ungrounded): Judgement => ({ ok: false, reason });
  if (sentence.length > MAX_SENTENCE) return no('too_long');
  const own = withoutOwnContacts(sentence, grounds.dealer);
  if (hasContact(withoutDatedModels(own, grounds.trucks))) return no('contact');
  const text = toComparable(own);
  const { trucks } = grounds;
  const read = readClaims(text, truckNames(trucks));
  const claims = read.claims.map((claim) => asTruckFigure(claim, trucks));
  if (claims.some((claim) => claim.kind === 'vin' && !trucks.some(({ vin }) => vin === claim.vin)))
    return no('vin');
  const named = claims.some(isIdentity);
  const goesOn = !named && grounds.subject.length > 0 && GOES_ON.test(text);
  const subject = new Set(named ? [] : grounds.subject);
  const candidates = trucks.filter(({ vin }) => !goesOn || subject.has(vin));
  const vins = new Set<string>();
  const meant = new Set(goesOn ? candidates : []);
  /** `The white one is under $40,000`: the trucks of such a price, where nothing else says which are meant. */
  const priced = new Set<KnownTruck>();
  const compared: (readonly KnownTruck[])[] = goesOn ? [candidates] : [];
  const groups = groupByTruck(claims, text, candidates);
  const isQuestion = /\?\s*$/.test(text);
  if (sharesPrice(text, groups, named) || (isQuestion && offersPrice(text, claims))) return no('price');
  const isKnownYear = (year: number) =>
    [grounds.facts, ...candidates.map((truck) => truck.facts)].some(({ figures }) =>
      figures.has(String(year)),
    );
  /** `Three trucks under $40,000`: as many as are. */
  let counted = trucks.length;
  const ofTrucks: { claims: readonly Claim[]; fitting: readonly KnownTruck[] }[] = [];
  for (const group of groups) {
    const fitting = candidates.filter((truck) => group.every((claim) => fits(claim, truck)));
    const reason = fitting.length === 0 ? whyUnfounded(group, text, isKnownYear) : null;
    if (reason !== null) return no(reason);
    ofTrucks.push({ claims: group, fitting });
    if (groups.length === 1 && group.some(isBounded)) counted = fitting.length;
    const [only] = fitting;
    if (only && fitting.length === 1 && group.some(({ kind }) => kind !== 'make')) vins.add(only.vin);
    if (group.some((claim) => 'bound' in claim)) for (const truck of fitting) priced.add(truck);
    if (!group.some(isIdentity)) continue;
    compared.push(fitting);
    for (const truck of fitting) {
      subject.add(truck.vin);
      meant.add(truck);
    }
  }
  const [about = trucks] = [[...meant], [...priced]].filter((some) => some.length > 0);
  const facts = mergeFacts([grounds.facts, ...about.map((truck) => truck.facts)]);
  if (claims.some((claim) => claim.kind === 'figure' && !isStated(claim, facts, counted)))
    return no('number');
  const words = isQuestion ? toWords(read.rest) : withoutComparisons(toWords(read.rest), compared, trucks);
  if (words === null) return no('comparison');
  const statement = {
    isQuestion,
    isSpecific: claims.length > 0,
    isMeasured: claims.some((claim) => 'bound' in claim),
    isAboutTrucks: compared.some((fitting) => fitting.length > 0),
  };
  if (hidesPrice(words) && about.some(({ price }) => price !== null)) return no('price');
  if (!areWordsGrounded(words, facts, statement)) return no('words');
  const { searches } = grounds;
  const saying = { text, rest: read.rest, claims, groups: ofTrucks, meant: [...meant], trucks, searches };
  // A sentence may count as often as it has words: each truck is asked once.
  const asked = new Map<KnownFacts | null, boolean>();
  const isSo = (of: KnownFacts | null) => {
    const so =
      asked.get(of) ?? isSoBy(mergeFacts([grounds.facts, ...(of ? [of] : [])]), { claims, words, statement });
    asked.set(of, so);
    return so;
  };
  if (!isSoOfEach(saying, isSo)) return no('number');
  return { ok: true, vins: [...vins], subject: [...subject] };
}

/** Whether the facts state all that is said, but for how many trucks it is said of. */
function isSoBy(
  facts: KnownFacts,
  { claims, words, statement }: { claims: readonly Claim[]; words: string; statement: Statement },
): boolean {
  return (
    claims.every(
      (claim) => claim.kind !== 'figure' || claim.units.includes('truck') || isStated(claim, facts, 0),
    ) && areWordsGrounded(words, facts, statement)
  );
}

/** `Cascadia 126 2019`, `2015 4300`: model and year of a known truck look like a telephone number. */
function withoutDatedModels(sentence: string, trucks: readonly KnownTruck[]): string {
  let rest = sentence;
  for (const { model, year } of trucks) {
    if (model === null || year === null || model.replace(/\D/g, '').length > 4) continue;
    rest = rest.replaceAll(`${model} ${year}`, ' ').replaceAll(`${year} ${model}`, ' ');
  }
  return rest;
}

/** The VINs that a sentence names, known or not. */
export function vinsNamed(sentence: string): string[] {
  const claims = readClaims(toComparable(sentence.slice(0, MAX_SENTENCE)), []).claims;
  return [...new Set(claims.flatMap((claim) => (claim.kind === 'vin' ? [claim.vin] : [])))];
}

/** The sentence as it is shown: without the marks. */
export function withoutMarks(sentence: string): string {
  return sentence.replace(/\s?\[\[[^\][\n]{0,40}\]\]/g, '');
}

const isIdentity = ({ kind }: Claim) =>
  kind === 'vin' || kind === 'year' || kind === 'make' || kind === 'model';
const isBounded = (claim: Claim) => 'bound' in claim && (claim.bound === 'least' || claim.bound === 'most');
const isName = ({ kind }: Claim) => kind === 'make' || kind === 'model';

/** A bare number that is the price or the mileage of a truck is read as that. */
function asTruckFigure(claim: Claim, trucks: readonly KnownTruck[]): Claim {
  if (claim.kind !== 'figure' || claim.value < 1_000) return claim;
  const { at, value } = claim;
  if (trucks.some(({ price }) => price === value)) return { kind: 'price', at, value, bound: 'exact' };
  if (trucks.some(({ mileage }) => mileage === value)) return { kind: 'miles', at, value, bound: 'exact' };
  return claim;
}

/**
 * The claims that belong to one truck each: what is said twice of the same kind is said of two, and so are two names
 * apart that no truck has both. So a price must be that of the truck it stands beside, not just of any.
 */
function groupByTruck(claims: readonly Claim[], text: string, trucks: readonly KnownTruck[]): Claim[][] {
  const groups: Claim[][] = [];
  let group: Claim[] = [];
  const isAnother = (claim: Claim) =>
    group.some((other) => other.kind === claim.kind && !isSame(other, claim) && !isRange(other, claim)) ||
    (isName(claim) &&
      group.some((other) => isName(other) && !isNextTo(text, other, claim.at)) &&
      !trucks.some((truck) => [...group, claim].every((each) => fits(each, truck))));
  for (const claim of claims) {
    if (claim.kind === 'figure') continue;
    if (isAnother(claim)) {
      groups.push(group);
      group = [];
    }
    group.push(claim);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

const stated = (claim: Claim) =>
  claim.kind === 'vin' ? claim.vin : 'name' in claim ? claim.name.toLowerCase() : claim.value;
const isSame = (a: Claim, b: Claim) => stated(a) === stated(b);
const isRange = (a: Claim, b: Claim) =>
  'bound' in a && 'bound' in b && a.bound === 'least' && b.bound === 'most';

function fits(claim: Claim, truck: KnownTruck): boolean {
  if (claim.kind === 'vin') return claim.vin === truck.vin;
  if (claim.kind === 'year') return claim.value === truck.year;
  if (claim.kind === 'make') return claim.name.toLowerCase() === truck.make?.toLowerCase();
  if (claim.kind === 'model')
    return `${truck.model} `.toLowerCase().startsWith(`${claim.name} `.toLowerCase());
  if (claim.kind === 'price') return isWithin(claim, truck.price);
  return claim.kind === 'miles' ? isWithin(claim, truck.mileage) : true;
}

/** `about`: rounded to a thousand at most. */
function isWithin(
  { value, bound }: Extract<Claim, { kind: 'price' | 'miles' }>,
  actual: number | null,
): boolean {
  if (actual === null || Number.isNaN(value)) return false;
  if (bound === 'most') return actual <= value;
  if (bound === 'least') return actual >= value;
  return bound === 'about' ? Math.abs(actual - value) <= 1_000 : actual === value;
}

/** Why a group that fits no truck may not be said; null when it claims nothing of one. */
function whyUnfounded(
  group: readonly Claim[],
  text: string,
  isKnownYear: (year: number) => boolean,
): Ungrounded | null {
  const amount = group.find((claim) => 'bound' in claim);
  const reason = amount?.kind === 'price' ? 'price' : 'mileage';
  if (amount && 'bound' in amount && (amount.bound === 'exact' || amount.bound === 'about')) return reason;
  // "No Peterbilt under $50,000" and "Would a 2020 do?" state no truck.
  if (saysNotFound(text)) return null;
  if (amount) return reason;
  if (/\?\s*$/.test(text)) return null;
  const isOther = group.some(
    (claim) => isName(claim) || claim.kind === 'vin' || (claim.kind === 'year' && !isKnownYear(claim.value)),
  );
  return isOther ? 'truck' : null;
}

/** Makes that are words too. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  'International',
  'Ford',
  'Ram',
  'Sterling',
  'Pierce',
  'Spartan',
  'Workhorse',
]);
const ALL_MAKES = Object.keys(MAKES).map((make) =>
  truckName('make', make, COMMON_WORDS.has(make) ? 'exact' : 'any'),
);
/** What dealers write where they know no model. */
const NO_MODEL = /^(?:other|others|truck|trucks|unknown|series|none|n\/?a|model|the|and|for|new|used)$/i;

/** Longest first: `M2 106` before `M2`. */
function truckNames(trucks: readonly KnownTruck[]): TruckName[] {
  const names = new Map<string, TruckName>();
  const add = (name: TruckName) => void names.set(name.text.toLowerCase(), name);
  for (const make of ALL_MAKES) add(make);
  for (const { make, model } of trucks) {
    if (make && !names.has(make.toLowerCase())) add(truckName('make', make));
    for (const spelling of model ? [model, model.split(/\s/, 1)[0] ?? ''] : [])
      if (spelling.length > 1 && !NO_MODEL.test(spelling)) add(truckName('model', spelling));
  }
  return [...names.values()].sort((a, b) => b.text.length - a.text.length);
}
