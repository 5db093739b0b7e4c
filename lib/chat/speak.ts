import type { Dealer } from '../accounts/dealers/port.ts';
import { toVisitorsDealer } from '../accounts/dealers/profile/visitors-dealer.ts';
import { describeMileage, formatNumber } from '../truck/card/card-words.ts';
import type { Locale } from '../truck/card/locale.ts';
import { nameTruck } from '../truck/card/name-truck.ts';
import { SPEC_LINES } from '../truck/card/spec-words.ts';
import { listSpecs } from '../truck/card/specs.ts';
import type { Fact, Segment } from './choice.ts';
import { PHRASES, type Phrases } from './phrases.ts';
import type { ChatTrucks, Found, Truck } from './trucks.ts';

/** Segments as sentences, from the records alone. */

export interface Speaker {
  locale: Locale;
  dealer: Dealer;
  trucks: ChatTrucks;
  now: number;
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
  switch (segment.say) {
    case 'greet':
    case 'thank':
    case 'goodbye':
    case 'decline':
      return about(fill(pick(words[segment.say]), { dealer: speaker.dealer.name }));
    case 'ask':
      return about(pick(words.ask[segment.about]));
    case 'refer':
      return about(`${words.refer[segment.topic]} ${tellContact(speaker, words)}`);
    case 'count': {
      const found = trucks.searches[segment.search];
      return about(tellCount(found, speaker, words), found?.kind === 'closest' ? found.trucks : []);
    }
    case 'dealer': {
      const value = tellDealer(segment.topic, speaker);
      if (value === '') return about(`${words.dealerMissing} ${tellContact(speaker, words)}`);
      return about(fill(pick(words.dealer[segment.topic]), { value }));
    }
  }
  const named = 'vins' in segment ? segment.vins : [segment.vin];
  const shown = [...new Set(named.flatMap((vin) => trucks.get(vin) ?? []))];
  const [truck] = shown;
  if (truck === undefined) return null;
  switch (segment.say) {
    case 'available':
      // Which of its kind is meant, its VIN tells.
      return about(
        fill(pick(words.available), { truck: `${describeTruck(truck)} (…${truck.vin.slice(-6)})` }),
        [truck],
      );
    case 'compare':
      return about(shown.length < 2 ? null : tellCompared(shown, segment.by, speaker, words), shown);
    case 'trucks':
      return about(tellTrucks(shown, segment, speaker, words), shown);
  }
}

const put = (template: string, slots: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
const fill: typeof put = (template, slots) => {
  const text = put(template, slots);
  // A value may end as a sentence does: `p.m.`
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1).replace(/\.\.$/, '.');
};
const join = (parts: readonly string[], locale: Locale): string => new Intl.ListFormat(locale).format(parts);

/** Trucks and why they are shown; of one truck the facts that were asked for, also those that are missing. */
function tellTrucks(
  shown: readonly Truck[],
  { search = -1, facts }: Extract<Segment, { say: 'trucks' }>,
  speaker: Speaker,
  words: Phrases,
): string {
  const [truck, ...others] = shown;
  const asked = others.length === 0 ? facts : [];
  const missing = asked.filter((fact) => truck && tellFact(truck, fact, speaker) === null);
  const names = join(
    missing.map((fact) => toFactName(fact, speaker.locale)),
    speaker.locale,
  );
  return [
    others.length === 0 && (facts.length > 0 || search < 0)
      ? ''
      : tellWhy(shown, speaker.trucks.searches[search], speaker, words),
    tellList(shown, facts, speaker, words),
    missing.length > 0 ? fill(speaker.pick(words.missing), { facts: names }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

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
  if (typeof found.kind === 'object') return fill(pick(words.similar), { truck: describeTruck(found.kind) });
  return tellCount(found, speaker, words) ?? pick(words.these);
}

/** Null where what was searched for cannot be said. */
function tellCount(found: Found | undefined, { locale, pick }: Speaker, words: Phrases): string | null {
  if (!found?.criteria) return null;
  const { criteria, count, kind } = found;
  const n = kind === 'match' ? count.value : 0;
  const many = words.many.replace('{n}', `${formatNumber(n, locale)}${count.exact ? '' : '+'}`);
  const slots = { count: n === 1 ? words.one : many, criteria: criteria.join(', ') };
  if (criteria.length === 0) return fill(pick(words.foundAny), slots);
  return fill(pick(n > 0 ? words.found : found.trucks.length > 0 ? words.closest : words.none), slots);
}

const describeTruck = ({ year = null, make = null, model = null }: Truck): string =>
  nameTruck({ year, make, model });

/** The first three; the others are on cards. */
function tellList(shown: readonly Truck[], facts: readonly Fact[], speaker: Speaker, words: Phrases): string {
  const descriptions = shown.slice(0, 3).map((truck) => tellShort(truck, facts, speaker, words));
  return fill('{list}.', { list: join(descriptions, speaker.locale) });
}

/** `the 2020 Kenworth T680 at $84,500 with 301,200 mi (color white)` */
function tellShort(truck: Truck, facts: readonly Fact[], speaker: Speaker, words: Phrases): string {
  const price = formatPrice(truck, speaker.locale);
  const mileage = describeMileage(truck.mileage, truck.location, speaker.locale);
  const more = facts.flatMap((fact) => (fact === 'mileage' ? [] : (tellFact(truck, fact, speaker) ?? [])));
  return [
    put(price === null ? words.onRequest : words.withPrice, {
      truck: describeTruck(truck),
      price: price ?? '',
    }),
    mileage === null ? '' : put(words.withMileage, { mileage }),
    more.length > 0 ? ` (${more.join('; ')})` : '',
  ].join('');
}

/** `engine Cummins X15, 450 hp`; null where the listing does not say it. */
function tellFact(truck: Truck, fact: Fact, { locale, now }: Speaker): string | null {
  const spec = listSpecs(truck, locale, now).find(({ id }) => id === fact);
  return spec ? `${toFactName(fact, locale)} ${spec.value}` : null;
}

/** In lower case, but for names such as GVWR. */
function toFactName(fact: Fact, locale: Locale): string {
  const name = SPEC_LINES.find(({ id }) => id === fact)?.names[locale] ?? fact;
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.slice(0, 1).toLocaleLowerCase() + name.slice(1);
}

/** In the truck's own currency; null where it is on request. */
function formatPrice({ price = null, currency }: Truck, locale: Locale): string | null {
  const style = { style: 'currency', currency: currency ?? 'USD', maximumFractionDigits: 0 } as const;
  return price === null
    ? null
    : new Intl.NumberFormat(locale === 'fr' ? 'fr-CA' : `${locale}-US`, style).format(price);
}

/** Which is the lowest or highest, where it is one alone, all are known, and prices are in one currency; and all of them. */
function tellCompared(
  shown: readonly Truck[],
  by: keyof Phrases['best'],
  speaker: Speaker,
  words: Phrases,
): string {
  const value = (truck: Truck) => truck[by] ?? 0;
  const [first, second] = shown.toSorted((one, other) => value(one) - value(other));
  const currencies = new Set(shown.map(({ currency }) => currency ?? 'USD'));
  const isKnown = shown.every((truck) => truck[by] != null) && (by !== 'price' || currencies.size === 1);
  const list = tellList(shown, [], speaker, words);
  if (!first || !second || !isKnown || value(first) === value(second)) return list;
  return `${fill(words.best[by], { truck: describeTruck(first) })} ${list}`;
}

const tellContact = ({ dealer: { phone } }: Speaker, words: Phrases): string =>
  phone === null ? words.leaveDetails : words.callOrLeave.replace('{phone}', phone);

/** What the dealer's record says of it; empty where it says nothing. */
function tellDealer(topic: keyof Phrases['dealer'], { dealer, locale, now }: Speaker): string {
  const { address, city, state, zip, phone, email, website } = dealer;
  const parts = {
    place: [address, city, state, zip],
    contact: [phone, email, website],
    hours: [toVisitorsDealer(dealer, locale, now).opening?.text],
  };
  return parts[topic].filter(Boolean).join(', ');
}
