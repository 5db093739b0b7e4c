import { toVisitorsDealer } from '../accounts/dealers/opening.ts';
import type { Dealer } from '../accounts/dealers/schemas.ts';
import { describeMileage, formatNumber } from '../truck/card/card-words.ts';
import type { Locale } from '../truck/card/locale.ts';
import { nameTruck } from '../truck/card/name-truck.ts';
import { SPEC_LINES } from '../truck/card/spec-words.ts';
import { listSpecs } from '../truck/card/specs.ts';
import { FIELDS } from '../truck/record/fields.ts';
import { capitalize } from '../truck/text/text.ts';
import type { Fact, Segment } from './choice.ts';
import type { Phrases } from './phrases.ts';
import type { ChatTrucks, Truck, TruckSearch } from './trucks.ts';

/** Makes sentences of segments, from the records alone. */

export interface Speaker {
  locale: Locale;
  words: Phrases;
  dealer: Dealer;
  trucks: ChatTrucks;
  now: number;
}

/** What is said, and of which trucks a card is shown. */
export interface Speech {
  text: string;
  vins: string[];
}

/** Returns null for what cannot be said, such as a truck that no tool returned. */
export function speak(segment: Segment, speaker: Speaker): Speech | null {
  const { trucks, locale, words } = speaker;
  const about = (text: string, subjects: readonly Truck[] = []) => ({
    text,
    vins: subjects.map(({ vin }) => vin),
  });
  switch (segment.say) {
    case 'greet':
    case 'thank':
    case 'goodbye':
    case 'decline':
      return about(fill(words[segment.say], { dealer: speaker.dealer.name }));
    case 'ask':
      return about(words.ask[segment.about]);
    case 'refer':
      return about(words.refer[segment.topic]);
    case 'dealer': {
      const value = readDealerTopic(segment.topic, speaker);
      return about(value === '' ? words.dealerMissing : fill(words.dealer[segment.topic], { value }));
    }
  }
  const vins = 'vins' in segment ? segment.vins : [segment.vin];
  const chosenTrucks = [...new Set(vins.flatMap((vin) => trucks.get(vin) ?? []))];
  const [truck] = chosenTrucks;
  if (truck === undefined) return null;
  switch (segment.say) {
    case 'available':
      // The end of the VIN distinguishes trucks of one model.
      return about(
        fill(words.available, { truck: `${describeTruck(truck, locale)} (…${truck.vin.slice(-6)})` }),
        [truck],
      );
    case 'compare':
      return about(phraseComparison(chosenTrucks, segment.by, speaker), chosenTrucks);
    case 'trucks':
      return about(phraseTrucks(chosenTrucks, segment, speaker), chosenTrucks);
  }
}

/** Fills in values without line breaks and marks of direction; a value that ends in a period ends its sentence. */
const fill = (template: string, slots: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}(\.?)/g, (_, name: string, period: string) => {
    const value = (slots[name] ?? '').replace(/[\s\u202a-\u202e\u2066-\u2069]+/g, ' ');
    return value.endsWith('.') ? value : `${value}${period}`;
  });
const join = (parts: readonly string[], locale: Locale): string => new Intl.ListFormat(locale).format(parts);

/** Names trucks and why they are shown; for one truck also the facts that were asked for and are missing. */
function phraseTrucks(
  subjects: readonly Truck[],
  { search = -1, facts }: Extract<Segment, { say: 'trucks' }>,
  speaker: Speaker,
): string {
  const { locale, trucks, words } = speaker;
  const uniqueFacts = [...new Set(facts)];
  const [truck, ...others] = subjects;
  const isAlone = truck !== undefined && others.length === 0 && (uniqueFacts.length > 0 || search < 0);
  const result = trucks.searches[search];
  const lead = isAlone ? words.here : phraseReason(subjects, result, speaker);
  const list = phraseList(lead, subjects, uniqueFacts, speaker, result?.count.value);
  // A fact that is made of several may be in any of them.
  const specs = isAlone ? listSpecs(truck, locale, speaker.now) : [];
  const missing = uniqueFacts.filter(
    (fact) => isAlone && fact in FIELDS && specs.every(({ id }) => id !== fact),
  );
  if (missing.length === 0) return list;
  const names = missing.map((fact) => toFactName(fact, locale));
  return `${list} ${fill(words.missing, { facts: join(names, locale) })}`;
}

/** Says why these trucks are shown, if one search returned all of them. */
function phraseReason(subjects: readonly Truck[], result: TruckSearch | undefined, speaker: Speaker): string {
  const { locale, words } = speaker;
  const isOfSearch = result && subjects.every(({ vin }) => result.trucks.some((truck) => truck.vin === vin));
  if (!isOfSearch) return words.these;
  if (typeof result.kind === 'object')
    return fill(words.similar, { truck: describeTruck(result.kind, locale) });
  return phraseCount(result, speaker) ?? (result.kind === 'closest' ? words.nearest : words.these);
}

/** Says how many trucks match, and what was asked for; null if the criteria cannot be said. */
function phraseCount(result: TruckSearch | undefined, { locale, words }: Speaker): string | null {
  if (!result?.criteria) return null;
  const { criteria, count, kind } = result;
  const n = kind === 'match' ? count.value : 0;
  if (n === 0 && criteria.length === 0) return words.empty;
  const countText = fill(words.many, { n: `${formatNumber(n, locale)}${count.exact ? '' : '+'}` });
  return fill(n > 0 ? words.found : result.trucks.length > 0 ? words.closest : words.none, {
    count: n === 1 ? words.one : countText,
    criteria: criteria.length > 0 ? ` (${criteria.join(', ')})` : '',
  });
}

/** In English `2020 Kenworth T680`; in other languages the year comes last. */
const describeTruck = ({ year = null, make = null, model = null }: Truck, locale: Locale): string =>
  locale === 'en'
    ? nameTruck({ year, make, model })
    : [nameTruck({ year: null, make, model }), year].filter(Boolean).join(' ');

/** Lists the first three trucks behind the lead; cards show the others. `count`: how many the lead speaks of. */
function phraseList(
  lead: string,
  subjects: readonly Truck[],
  facts: readonly Fact[],
  speaker: Speaker,
  count = 0,
): string {
  const { words, locale } = speaker;
  const descriptions = subjects.slice(0, 3).map((truck) => phraseTruck(truck, facts, speaker));
  const isPart = Math.max(count, subjects.length) > descriptions.length;
  const template = `{lead}${isPart ? words.among : words.colon}{list}.`;
  return fill(template, { lead: capitalize(lead), list: join(descriptions, locale) });
}

/** `the 2020 Kenworth T680 at $84,500 with 301,200 mi (color white)` */
function phraseTruck(truck: Truck, facts: readonly Fact[], { locale, words, now }: Speaker): string {
  const price = formatPrice(truck, locale);
  const mileage = describeMileage(truck.mileage, truck.location, locale);
  const specs = listSpecs(truck, locale, now);
  const more = facts.flatMap((fact) => {
    const spec = fact === 'mileage' ? undefined : specs.find(({ id }) => id === fact);
    return spec ? [`${toFactName(fact, locale)} ${spec.value}`] : [];
  });
  return [
    fill(price === null ? words.onRequest : words.withPrice, {
      truck: describeTruck(truck, locale),
      price: price ?? '',
    }),
    mileage === null ? '' : fill(words.withMileage, { mileage }),
    more.length > 0 ? ` (${more.join('; ')})` : '',
  ].join('');
}

/** Names a fact in lower case, except abbreviations such as GVWR. */
function toFactName(fact: Fact, locale: Locale): string {
  const name = SPEC_LINES.find(({ id }) => id === fact)?.names[locale] ?? fact;
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.slice(0, 1).toLocaleLowerCase() + name.slice(1);
}

/** Formats the price in the truck's own currency; null if it is on request. */
function formatPrice({ price = null, currency }: Truck, locale: Locale): string | null {
  if (price === null) return null;
  return new Intl.NumberFormat(locale === 'fr' ? 'fr-CA' : `${locale}-US`, {
    style: 'currency',
    currency: currency ?? 'USD',
    maximumFractionDigits: 0,
  }).format(price);
}

/** Sorts the trucks with a price or mileage, the lowest first; keeps their order if prices have several currencies. */
function phraseComparison(subjects: readonly Truck[], by: keyof Phrases['lowest'], speaker: Speaker): string {
  const isMixed = by === 'price' && new Set(subjects.map(({ currency }) => currency ?? 'USD')).size > 1;
  const comparable = subjects.filter((truck) => truck[by] != null);
  if (isMixed || comparable.length < 2) return phraseList(speaker.words.these, subjects, [], speaker);
  const sorted = comparable.toSorted((one, other) => (one[by] ?? 0) - (other[by] ?? 0));
  return phraseList(speaker.words.lowest[by], sorted, [], speaker);
}

/** Says how to reach the dealer, once behind all referrals to the team. */
export function phraseContact({ dealer: { phone }, words }: Speaker): Speech {
  return { text: phone === null ? words.leaveDetails : fill(words.callOrLeave, { phone }), vins: [] };
}

/** Reads a topic of the dealer's record; empty if the record has nothing. */
function readDealerTopic(topic: keyof Phrases['dealer'], { dealer, locale, now }: Speaker): string {
  const { address, city, state, zip, phone, email, website } = dealer;
  const parts = {
    place: [address, city, [state, zip].filter(Boolean).join(' ')],
    contact: [phone, email, website],
    hours: [toVisitorsDealer(dealer, locale, now).opening?.text],
  };
  return parts[topic].filter(Boolean).join(', ');
}
