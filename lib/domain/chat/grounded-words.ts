import { toWords } from './comparable-text.ts';
import type { KnownFacts } from './known-facts.ts';
import {
  AFFIRMATIONS,
  ASKING,
  GLUE,
  MEASURES,
  NOT_FOUND,
  OF_A_TRUCK,
  PHRASES,
  REFERRALS,
  TOPICS,
  TRADE,
  UNKNOWN,
  WORDS,
} from './spoken-words.ts';

/** `You can have it`, `it is for you`: gives it away. */
const GIVES =
  / (?:(?:can|could|will|would|may|might|should|to) (?:also )?have|you have|puede tener|pouvez le avoir|(?:is|are|es|son|est|sont) (?:all )?(?:a|para|pour|for) (?:you|usted|ustedes|vous)) /;

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
  if (isReferral(words)) return true;
  const { isQuestion } = statement;
  const known = words.replace(UNKNOWN, SAID);
  let rest = known.replace(PHRASES, SAID).replace(NOT_FOUND, SAID);
  for (const quote of facts.quotes) rest = rest.replaceAll(quote, ` ${SAID} `);
  if (!isQuestion && GIVES.test(rest)) return false;
  const isMeasured = statement.isMeasured || known !== words;
  const isNotFound = saysNotFound(words);
  if (isNotFound && statement.isAboutTrucks) return false;
  const isOpen = isQuestion || isNotFound;
  return list(rest).every((word) => {
    const name = TRADE.get(word) ?? TRADE.get(word.replace(/e?s$/, ''));
    return (
      WORDS.has(word) ||
      (isMeasured && MEASURES.has(word)) ||
      (statement.isAboutTrucks && OF_A_TRUCK.has(word)) ||
      (statement.isSpecific && AFFIRMATIONS.has(word)) ||
      (isQuestion && ASKING.has(word)) ||
      (isOpen && name !== undefined) ||
      [word, word.replace(/s$/, ''), name ?? word].some((term) => facts.terms.has(term))
    );
  });
}

/** `I found no Peterbilt under $50,000` states no truck. */
export const saysNotFound = (text: string): boolean => toWords(text).search(NOT_FOUND) >= 0;

/** Nothing but a referral to the dealer, or a refusal, and the topics it is about. */
function isReferral(text: string): boolean {
  const rest = text.replace(REFERRALS, SAID);
  return (
    rest !== text && list(rest.replace(PHRASES, SAID)).every((word) => TOPICS.has(word) || GLUE.has(word))
  );
}

const list = (text: string) => text.split(' ').filter((word) => word !== '' && word !== SAID);
