import { toWords } from './comparable-text.ts';
import type { KnownFacts } from './known-facts.ts';
import { isReferral } from './referrals.ts';
import {
  ASKED,
  ASKING,
  MEASURES,
  NOT_FOUND,
  OF_A_TRUCK,
  PHRASES,
  TRADE,
  UNKNOWN,
  WORDS,
} from './spoken-words.ts';

/** `You can have it`, `it is for you`, `this one is on us`, `you are first`: gives it away. */
const GIVES =
  / (?:on (?:us|me)|you are (?:the )?first|(?:can|could|will|would|may|might|should|to) (?:also )?have|you have|puede tener|pouvez le avoir|(?:is|are|es|son|est|sont) (?:all )?(?:a|para|pour|for) (?:you|usted|ustedes|vous)) /;

/** `$68,900 a mile`: the listing's price is for the truck. */
const RATE = / (?:a|an|per|each|every|por|al|cada|par) (?:lb|pound|mile|milla|mille|class|unit) /;

/** `It has been here for one year`: years stand in figures, or the word is the model's. */
const YEARS =
  / (?:one|a|an|first|second|third|per|each|un|una|uno|por|al|cada|par|premier|deuxieme) (?:years?|anos?|ans?|annees?) /;

/** A question in which somebody acts for the visitor, or two trucks go for one: an offer, whatever else it asks. */
const OFFERS =
  / (?:i|me|my|we|us|our|someone|somebody|je|me|mon|nous|notre|nos|mi|nuestro|nuestra|alguien|equipo|equipe|team|free|gratis|(?:trucks|two|both|camiones|dos|camions|deux) (?:for|por|pour) (?:one|un|uno)) /;

/** `It is ideal for your work`: what one truck is good for is the dealer's to say. */
const SUITS =
  / (?:it|this|that|this (?:truck|one|unit)|el|este|ese|(?:este|ese) camion|il|elle|ce camion) (?:(?:is|would be|es|seria|est|serait) )?(?:an? |very |muy )?(?:good for|strong trucks for|ideal for|ideal para|suits|better choice|buen) /;

/** `Yes` may answer anything, so it is said only where all that follows is that the truck is there. */
const AFFIRMED =
  /^ (?:yes|si|oui) (?=(?:we have (?:a|the) |(?:the |it |this truck |el |este camion |le |ce camion |il )?(?:is|sigue|esta|est) (?:still |toujours )?(?:available|disponible) )$)/;

/** `We can`, `it has one`, `lo tiene`: a yes in other words. */
const ELLIPTIC =
  / (?:can|could|may|might|should|would|had|(?:has|have|had|is|are) (?:also )?(?:it|that|this|so|both|ones?)(?: \|)?|puede|pueden|podemos|lo tiene|pouvez|peut|en (?:a|avons|avez)) $/;
/** `One owner, me`: who speaks owns, sells or gives nothing. */
const OURSELVES = / (?:me|us|i|we|mi|nos|nosotros|nous|je) $/;
/** The same, unless a figure or a name is what follows. */
const OPEN_ENDED =
  / (?:(?<!website )is|are|was|be|been|(?:has|have) (?:those|these|some)|has|have|es|esta|tiene|tenemos|hay|il a|est|sont|ai|avons|avez) $/;

/** Stands where a phrase was, so that what was apart does not become one phrase. */
const SAID = '|';

/** What the sentence is, beside its words. */
export interface Statement {
  isQuestion: boolean;
  /** Names a truck or states a figure. */
  isSpecific: boolean;
  /** States a price or a mileage. */
  isMeasured: boolean;
  /** Is about known trucks. */
  isAboutTrucks: boolean;
}

/** True when each word is one that the chat may always say, or stands in what is known of the trucks spoken of. */
export function areWordsGrounded(words: string, facts: KnownFacts, statement: Statement): boolean {
  const isMentioned = (stem: string) => facts.quotes.some((quote) => quote.includes(` ${stem}`));
  if (isReferral(words, isMentioned)) return true;
  const { isQuestion } = statement;
  const claimed = words.replace(AFFIRMED, ' ');
  const known = claimed.replace(UNKNOWN, SAID);
  if (SUITS.test(claimed)) return false;
  const asked = isQuestion ? known.replace(ASKED, SAID) : known;
  let rest = asked.replace(PHRASES, SAID).replace(NOT_FOUND, SAID);
  if (isQuestion && OFFERS.test(rest)) return false;
  for (const quote of facts.quotes) rest = rest.replaceAll(quote, ` ${SAID} `);
  if (!isQuestion && (GIVES.test(rest) || ELLIPTIC.test(rest) || OURSELVES.test(rest))) return false;
  if (statement.isMeasured && RATE.test(rest)) return false;
  if (!isQuestion && YEARS.test(rest)) return false;
  if (!isQuestion && !statement.isSpecific && OPEN_ENDED.test(rest)) return false;
  const isMeasured = statement.isMeasured || known !== claimed;
  const isNotFound = saysNotFound(words);
  if (isNotFound && statement.isAboutTrucks) return false;
  const isOpen = isQuestion || isNotFound;
  return list(rest).every((word) => {
    const name = TRADE.get(word) ?? TRADE.get(word.replace(/e?s$/, ''));
    return (
      WORDS.has(word) ||
      (isMeasured && MEASURES.has(word)) ||
      (statement.isAboutTrucks && OF_A_TRUCK.has(word)) ||
      (isQuestion && ASKING.has(word)) ||
      (isOpen && name !== undefined) ||
      [word, word.replace(/s$/, ''), name ?? word].some((term) => facts.terms.has(term))
    );
  });
}

/** `The price is on request`: true of a truck without one. */
export const hidesPrice = (words: string): boolean =>
  / (?:on request|a consultar|sur demande) | (?:price|precio|prix) .*(?:not (?:listed|shown)|no (?:indica|muestra|menciona)|ne (?:indique|mentionne) pas) /.test(
    words,
  );

/** `I found no Peterbilt under $50,000` states no truck. */
export const saysNotFound = (text: string): boolean => toWords(text).search(NOT_FOUND) >= 0;

const list = (text: string) => text.split(' ').filter((word) => word !== '' && word !== SAID);
