import type { Locale } from '../contract/widget/locale.ts';
import { describeMileage, formatNumber } from '../domain/card/card-words.ts';
import { nameTruck } from '../domain/card/name-truck.ts';
import { SPEC_LINES } from '../domain/card/spec-words.ts';
import { listSpecs } from '../domain/card/specs.ts';
import type { Dealer } from '../ports/accounts/dealers.ts';
import type { Compared, Fact, Segment } from './choice.ts';
import { PHRASES, type Phrases } from './phrases.ts';
import { tellDealer } from './tell-dealer.ts';
import type { ChatTrucks, Found, Truck } from './trucks.ts';

/** Segments as sentences, from the records alone. */

export interface Speaker {
  locale: Locale;
  dealer: Dealer;
  trucks: ChatTrucks;
  now: number;
  /** The visitor's message names a VIN that this dealer does not sell. */
  hasUnknownVin: boolean;
  /** Takes one of several wordings. */
  pick(wordings: readonly string[]): string;
}

/** What is said, and of which trucks a card is shown. */
export interface Speech {
  text: string;
  vins: string[];
}

/** Null where it cannot be said: a truck that no tool returned or that is not for sale here, a search that was not made. */
export function speak(segment: Segment, speaker: Speaker): Speech | null {
  const { trucks, pick, locale } = speaker;
  const words = PHRASES[locale];
  const about = (text: string | null, shown: readonly Truck[] = []) =>
    text === null ? null : { text, vins: shown.map(({ vin }) => vin) };
  const ofDealer = { dealer: speaker.dealer.name };
  switch (segment.say) {
    case 'greet':
    case 'decline':
      return about(fill(pick(words[segment.say]), ofDealer));
    case 'thank':
    case 'goodbye':
      return about(pick(words[segment.say]));
    case 'ask':
      return about(pick(words.ask[segment.about]));
    case 'not_known':
      return about(`${pick(words.notKnown)} ${tellContact(speaker, words)}`);
    case 'refer':
      return about(`${words.refer[segment.topic]} ${tellContact(speaker, words)}`);
    case 'no_such_truck':
      return about(speaker.hasUnknownVin ? pick(words.noSuchTruck) : null);
    case 'count':
      return about(tellCount(trucks.searches[segment.search], speaker, words));
    case 'dealer': {
      const value = tellDealer(segment.topic, speaker);
      const text = value === '' ? words.dealerMissing : fill(pick(words.dealer[segment.topic]), { value });
      return about(value === '' ? `${text} ${tellContact(speaker, words)}` : text);
    }
  }
  const named = 'vins' in segment ? segment.vins : [segment.vin];
  const shown = [...new Set(named.flatMap((vin) => trucks.get(vin) ?? []))];
  const [truck] = shown;
  if (truck === undefined) return null;
  switch (segment.say) {
    case 'available':
      return about(fill(pick(words.available), { truck: nameOf(truck) }), [truck]);
    case 'facts':
      return about(tellFacts(truck, segment.facts, speaker, words), [truck]);
    case 'compare':
      return about(shown.length < 2 ? null : tellCompared(shown, segment.by, speaker, words), shown);
    case 'trucks': {
      const found = segment.search === undefined ? undefined : trucks.searches[segment.search];
      const told = shown.slice(0, MAX_TOLD).map((each) => tellShort(each, segment.facts, speaker, words));
      return about(
        `${tellWhy(shown, found, speaker, words)} ${fill('{list}.', { list: join(told, locale) })}`,
        shown,
      );
    }
  }
}

const fill = (template: string, slots: Readonly<Record<string, string>>): string => {
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
  // A value may end as a sentence does: `p.m.`
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1).replace(/\.\.$/, '.');
};
const join = (parts: readonly string[], locale: Locale): string => new Intl.ListFormat(locale).format(parts);

/** Trucks that a sentence tells of one by one; the others are on cards. */
const MAX_TOLD = 3;

/** Why these trucks are shown, as far as it is so. */
function tellWhy(
  shown: readonly Truck[],
  found: Found | undefined,
  speaker: Speaker,
  words: Phrases,
): string {
  const { pick } = speaker;
  const isOfSearch = found && shown.every(({ vin }) => found.trucks.some((truck) => truck.vin === vin));
  if (!isOfSearch) return pick(words.these);
  if (found.kind === 'closest') return pick(words.closest);
  if (found.kind !== 'match') return fill(pick(words.similar), { truck: nameOf(found.kind) });
  return tellCount(found, speaker, words) ?? pick(words.these);
}

/** Null where what was searched for cannot be said. */
function tellCount(found: Found | undefined, { locale, pick }: Speaker, words: Phrases): string | null {
  if (!found?.criteria) return null;
  const { criteria, count, kind } = found;
  const n = kind === 'match' ? count.value : 0;
  const form = count.exact ? (n === 1 ? words.one : words.many) : words.moreThan;
  const slots = { count: form.replace('{n}', formatNumber(n, locale)), criteria: criteria.join(', ') };
  if (criteria.length === 0) return fill(pick(words.foundAny), slots);
  return fill(pick(n === 0 ? words.none : words.found), slots);
}

const nameOf = ({ year = null, make = null, model = null, vin }: Truck): string =>
  nameTruck({ year, make, model }) || vin;

/** `the 2020 Kenworth T680 at $84,500 with 301,200 mi (color white)` */
function tellShort(truck: Truck, facts: readonly Fact[], speaker: Speaker, words: Phrases): string {
  const price = formatPrice(truck, speaker.locale);
  const mileage = describeMileage(truck.mileage, truck.location, speaker.locale);
  const more = facts.flatMap((fact) =>
    fact === 'price' || fact === 'mileage' ? [] : (tellFact(truck, fact, speaker, words) ?? []),
  );
  return [
    (price === null ? words.onRequest : words.withPrice)
      .replace('{truck}', nameOf(truck))
      .replace('{price}', price ?? ''),
    mileage === null ? '' : words.withMileage.replace('{mileage}', mileage),
    more.length > 0 ? ` (${more.join(words.nextFact)})` : '',
  ].join('');
}

const MAIN_FACTS: readonly Fact[] = ['price', 'mileage', 'engine', 'transmission', 'body', 'location'];

/** The facts that are known, and which of those that were asked for are not. */
function tellFacts(truck: Truck, asked: readonly Fact[], speaker: Speaker, words: Phrases): string | null {
  const { pick, locale } = speaker;
  const told = (asked.length > 0 ? asked : MAIN_FACTS).map((fact) => ({
    fact,
    text: tellFact(truck, fact, speaker, words),
  }));
  const known = told.flatMap(({ text }) => text ?? []).join(words.nextFact);
  const missing = told.flatMap(({ fact, text }) => (text === null ? [toFactName(fact, locale, words)] : []));
  const sentences = [
    known && fill(pick(words.facts), { truck: nameOf(truck), facts: known }),
    asked.length > 0 && missing.length > 0 && fill(pick(words.missing), { facts: join(missing, locale) }),
  ].filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : null;
}

/** `engine Cummins X15, 450 hp`; null where the listing does not say it. */
function tellFact(truck: Truck, fact: Fact, { locale, now }: Speaker, words: Phrases): string | null {
  if (fact === 'price') return `${words.price} ${formatPrice(truck, locale) ?? words.askForPrice}`;
  const spec = listSpecs(truck, locale, now).find(({ id }) => id === fact);
  return spec ? `${toFactName(fact, locale, words)} ${spec.value}` : null;
}

/** In lower case, but for names such as GVWR. */
function toFactName(fact: Fact, locale: Locale, words: Phrases): string {
  const name = SPEC_LINES.find(({ id }) => id === fact)?.names[locale] ?? words.price;
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.slice(0, 1).toLocaleLowerCase() + name.slice(1);
}

const REGION = { en: 'en-US', es: 'es-US', fr: 'fr-CA' } as const satisfies Record<Locale, string>;

/** In the truck's own currency; null where it is on request. */
function formatPrice({ price = null, currency }: Truck, locale: Locale): string | null {
  const style = { style: 'currency', currency: currency ?? 'USD', maximumFractionDigits: 0 } as const;
  return price === null ? null : new Intl.NumberFormat(REGION[locale], style).format(price);
}

/** Which has the lowest or highest, where it is one alone, all are known, and prices are in one currency; and all of them. */
function tellCompared(shown: readonly Truck[], by: Compared, speaker: Speaker, words: Phrases): string {
  const values = shown.flatMap((truck) => truck[by] ?? []);
  const currencies = new Set(shown.map(({ currency }) => currency ?? 'USD'));
  const best = by === 'year' ? Math.max(...values) : Math.min(...values);
  const holders = shown.filter((truck) => truck[by] === best);
  const isClear = values.length === shown.length && holders.length === 1;
  const tell = (truck: Truck) =>
    by === 'year' ? '' : ` (${tellFact(truck, by, speaker, words) ?? words.notListed})`;
  const told = (truck: Truck) => `${nameOf(truck)}${tell(truck)}`;
  const list = fill(words.compared, { list: join(shown.map(told), speaker.locale) });
  const [first] = holders;
  if (!isClear || first === undefined || (by === 'price' && currencies.size > 1)) return list;
  return `${fill(words.best[by], { truck: nameOf(first) })} ${list}`;
}

const tellContact = ({ dealer: { phone } }: Speaker, words: Phrases): string =>
  phone === null ? words.leaveDetails : words.callOrLeave.replace('{phone}', phone);
