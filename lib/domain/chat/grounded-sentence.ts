import { MAKES } from '../vocabulary/makes.ts';
import { type DealerContact, foreignContact, withoutOwnContacts } from './contact-points.ts';
import { folded } from './plain-speech.ts';
import { type Claim, type Claims, claimsOf, type TruckName, truckName } from './truck-claims.ts';

/** Whether a sentence of the assistant may be said: everything it states must be so in the dealer's inventory. */

/** What is known of a truck that may be spoken of. */
export interface KnownTruck {
  vin: string;
  year: number | null;
  make: string | null;
  model: string | null;
  price: number | null;
  mileage: number | null;
}

export interface Grounds {
  trucks: readonly KnownTruck[];
  dealer: DealerContact;
  /** Texts whose numbers may be repeated: other facts of the trucks, the dealer's address, counts. */
  facts: readonly string[];
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
  | 'promise'
  | 'unreadable'
  | 'contact';

/** The trucks that the sentence means for certain, and those that "it" may mean after it; or why it may not be said. */
export type Judgement = { ok: true; vins: string[]; subject: string[] } | { ok: false; reason: Ungrounded };

/** How sentences begin that go on about the truck of the one before; or they are figures alone. */
const GOES_ON =
  /^[\s\-*>"'(:,]*(?:(?:it|its|it's|this|that|these|they|the price|price|the mileage|mileage|the asking|asking|priced|for|only|just|at|and|with|cuesta|vale|tiene|su|este|esta|ese|esa|el precio|precio|el kilometraje|con|por|solo|s[oó]lo|y|il|elle|son|sa|ce|cet|cette|le prix|prix|co[uû]te|avec|pour|seulement|et)\b|[^\p{L}]*$)/iu;

/** Judges one sentence of plain speech. `[[VIN]]` marks count as naming the truck. */
export function judgeSentence(sentence: string, grounds: Grounds): Judgement {
  const no = (reason: Ungrounded): Judgement => ({ ok: false, reason });
  if (foreignContact(sentence, grounds.dealer) !== null) return no('contact');
  const read = claimsOf(withoutOwnContacts(folded(sentence), grounds.dealer), namesOf(grounds.trucks));
  if (read.unreadable) return no('unreadable');
  if (read.promise) return no('promise');
  const claims = read.claims.map((claim) => asPrice(claim, grounds.trucks));
  const facts = numbersOf(grounds);
  const vins = new Set<string>();
  const named = claims.some(isIdentity);
  const goesOn = !named && grounds.subject.length > 0 && GOES_ON.test(folded(sentence));
  const subject = new Set(named ? [] : grounds.subject);
  for (const claim of claims) {
    if (claim.kind === 'vin' && !grounds.trucks.some(({ vin }) => vin === claim.vin)) return no('vin');
    if (claim.kind === 'number' && !facts.has(claim.value)) return no('number');
  }
  for (const group of groupsOf(claims)) {
    const meant = grounds.trucks
      .filter(({ vin }) => !goesOn || subject.has(vin))
      .filter((truck) => group.every((claim) => fits(claim, truck)));
    if (meant.length === 0) {
      const reason = unfounded(group, read, grounds.trucks);
      if (reason !== null) return no(reason);
    }
    const [only] = meant;
    if (only && meant.length === 1 && group.some(({ kind }) => kind !== 'make' && kind !== 'number'))
      vins.add(only.vin);
    if (group.some(isIdentity)) for (const { vin } of meant) subject.add(vin);
  }
  return { ok: true, vins: [...vins], subject: [...subject] };
}

/** The VINs that a sentence names, known or not. */
export function vinsNamed(sentence: string): string[] {
  const named = claimsOf(sentence, []).claims.flatMap((claim) => (claim.kind === 'vin' ? [claim.vin] : []));
  return [...new Set(named)];
}

/** The sentence as it is shown: without the marks. */
export function withoutMarks(sentence: string): string {
  return sentence.replace(/\s?\[\[[^\][\n]{0,40}\]\]/g, '');
}

const isIdentity = ({ kind }: Claim) =>
  kind === 'vin' || kind === 'year' || kind === 'make' || kind === 'model';

/** A bare number that is the price of a truck is read as one. */
function asPrice(claim: Claim, trucks: readonly KnownTruck[]): Claim {
  if (claim.kind !== 'number' || !trucks.some(({ price }) => price === claim.value)) return claim;
  return { kind: 'price', at: claim.at, value: claim.value, bound: 'exact' };
}

/**
 * The claims that belong to one truck each: what is said twice of the same kind is said of two. So a price must be that
 * of the truck it stands beside, not just of any.
 */
function groupsOf(claims: readonly Claim[]): Claim[][] {
  const groups: Claim[][] = [];
  let group: Claim[] = [];
  for (const claim of claims) {
    if (claim.kind === 'number') continue;
    if (group.some((other) => other.kind === claim.kind && !isSame(other, claim) && !isRange(other, claim))) {
      groups.push(group);
      group = [];
    }
    group.push(claim);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

const saidOf = (claim: Claim) =>
  claim.kind === 'vin' ? claim.vin : 'name' in claim ? claim.name.toLowerCase() : claim.value;
const isSame = (a: Claim, b: Claim) => saidOf(a) === saidOf(b);
const isRange = (a: Claim, b: Claim) =>
  'bound' in a && 'bound' in b && a.bound === 'least' && b.bound === 'most';

function fits(claim: Claim, truck: KnownTruck): boolean {
  if (claim.kind === 'vin') return claim.vin === truck.vin;
  if (claim.kind === 'year') return claim.value === truck.year;
  if (claim.kind === 'make') return claim.name.toLowerCase() === truck.make?.toLowerCase();
  if (claim.kind === 'model')
    return `${truck.model} `.toLowerCase().startsWith(`${claim.name} `.toLowerCase());
  if (claim.kind === 'price') return within(claim, truck.price);
  return claim.kind === 'miles' ? within(claim, truck.mileage) : true;
}

/** `about`: rounded to a thousand at most. */
function within(
  { value, bound }: Extract<Claim, { kind: 'price' | 'miles' }>,
  actual: number | null,
): boolean {
  if (actual === null || Number.isNaN(value)) return false;
  if (bound === 'most') return actual <= value;
  if (bound === 'least') return actual >= value;
  return bound === 'about' ? Math.abs(actual - value) <= 1_000 : actual === value;
}

/** Why a group that fits no truck may not be said; null when it claims nothing of one. */
function unfounded(group: readonly Claim[], read: Claims, trucks: readonly KnownTruck[]): Ungrounded | null {
  const hard = group.find(
    (claim) => 'bound' in claim && (claim.bound === 'exact' || claim.bound === 'about'),
  );
  if (hard) return hard.kind === 'price' ? 'price' : 'mileage';
  // "No Peterbilt under $50,000" and "Would a 2020 do?" state no truck.
  if (read.negative || read.question) return null;
  const [bound] = group.filter((claim) => 'bound' in claim);
  if (bound) return bound.kind === 'price' ? 'price' : 'mileage';
  const named = group.some(({ kind }) => kind === 'make' || kind === 'model' || kind === 'vin');
  const dated = group.some(({ kind }) => kind === 'year');
  return named && (dated || trucks.length > 0) ? 'truck' : null;
}

/** Makes that are words too. */
const WORDS: ReadonlySet<string> = new Set([
  'International',
  'Ford',
  'Ram',
  'Sterling',
  'Pierce',
  'Spartan',
  'Workhorse',
]);
const ALL_MAKES = Object.keys(MAKES).map((make) =>
  truckName('make', make, WORDS.has(make) ? 'exact' : 'any'),
);
/** What dealers write where they know no model. */
const NO_MODEL = /^(?:other|others|truck|trucks|unknown|series|none|n\/?a|model|the|and|for|new|used)$/i;

/** Longest first: `M2 106` before `M2`. */
function namesOf(trucks: readonly KnownTruck[]): TruckName[] {
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

function numbersOf({ trucks, facts }: Grounds): Set<number> {
  const figures = trucks.flatMap(({ year, price, mileage }) => [year, price, mileage]);
  const said = facts
    .flatMap((text) => text.match(/\d[\d,]*/g) ?? [])
    .map((text) => Number(text.replaceAll(',', '')));
  return new Set([...figures.filter((figure) => figure !== null), ...said]);
}
