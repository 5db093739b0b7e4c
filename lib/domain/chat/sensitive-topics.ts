import { COMMITMENTS, DEFERRABLE, EXCEPTIONS, UNDEFERRABLE } from './sensitive-words.ts';
import { promisesAnAct } from './speaker-acts.ts';

const INABILITY =
  /\b(?:cannot|can't|can not|unable to|not able to|do not have|don't have|no puedo|no podemos|no tengo|ne peux pas|ne pouvons pas|n'ai pas)(?: \w+){1,3}/g;
const DEALER =
  /\b(?:team|dealer|dealership|sales|us|form|equipo|concesionario|formulario|equipe|concessionnaire|formulaire)\b/;
const REFERRAL =
  /\b(?:ask|contact|call|speak|talk|check with|discuss|confirm|answer|tell|explain|use|consult\w*|pregunt\w*|llam\w*|responder|confirmar|explicar|usar|demand\w*|appel\w*|repondre|confirmer|expliquer|utiliser)\b/;
const QUESTION = /\?\s*$/;

/**
 * True when a sentence speaks of money, obligations, dates or contact, unless that stands in `facts` or the sentence
 * only refers to the dealer; and when it has the assistant do more than help.
 */
export function isUngroundedPromise(sentence: string, facts: string): boolean {
  const lower = sentence.toLowerCase();
  // `interest-free` is two words, `dis-count` is one.
  const readings = new Set([
    lower.replace(/(?<=\w)-(?=\w)/g, ' '),
    lower.replace(/(?<=[a-z])-(?=[a-z])/g, ''),
  ]);
  return [...readings].some((reading) => isUngrounded(reading.replace(EXCEPTIONS, ' '), facts));
}

function isUngrounded(sentence: string, facts: string): boolean {
  const isStated = (pattern: RegExp) =>
    [...sentence.matchAll(pattern)].some(({ 0: words, index }) => !isQuoted(sentence, index, words, facts));
  if (isStated(UNDEFERRABLE)) return true;
  if (!QUESTION.test(sentence) && promisesAnAct(sentence)) return true;
  return isStated(DEFERRABLE) && !asksDealer(sentence);
}

/** With the two words before it, so that `no warranty` does not bear out `a warranty`. */
function isQuoted(sentence: string, at: number, words: string, facts: string): boolean {
  const before = /(?:\w+ ){2}$/.exec(sentence.slice(0, at))?.[0];
  return before !== undefined && facts.includes(before + words);
}

/** Refers the visitor to the dealer, asks what the visitor wants, or says what the assistant cannot do. */
function asksDealer(sentence: string): boolean {
  const rest = sentence.replace(INABILITY, '');
  if (rest.search(COMMITMENTS) >= 0) return false;
  return rest !== sentence || QUESTION.test(sentence) || (DEALER.test(rest) && REFERRAL.test(rest));
}
