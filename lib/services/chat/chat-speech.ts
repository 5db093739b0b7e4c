import type { Locale } from '../../contract/widget/locale.ts';
import { wordsIn } from '../../domain/chat/chat-words.ts';
import {
  judgeSentence,
  type Ungrounded,
  vinsNamed,
  withoutMarks,
} from '../../domain/chat/grounded-sentence.ts';
import { knownFacts, mergeFacts } from '../../domain/chat/known-facts.ts';
import { plainSpeech } from '../../domain/chat/plain-speech.ts';
import { leakGuard } from '../../domain/chat/prompt-leak.ts';
import { MAX_SENTENCE, sentenceSplitter } from '../../domain/chat/sentences.ts';
import type { Dealer } from '../../ports/accounts/dealers.ts';
import type { Prompt } from './chat-prompt.ts';
import type { ChatTrucks } from './chat-trucks.ts';

/** What happened to a reply on its way to the visitor. */
export interface Speech {
  /** Trucks that were spoken of, in that order. */
  vins: Set<string>;
  /** How many sentences were withheld, by reason; what they said is kept nowhere. */
  withheld: Partial<Record<Withheld, number>>;
}
type Withheld = Ungrounded | 'leak';

export interface SpeechNeeds {
  trucks: ChatTrucks;
  dealer: Dealer;
  locale: Locale;
  prompt: Prompt;
}

/** Nobody reads more; a model that does not stop is stopped, whether it may be heard or not. */
const MAX_SAID = 4_000;
const MAX_READ = 16_000;
/** VINs that the model names without having asked for them. */
const MAX_LOOK_UPS = 5;
/** Left out without a word. */
const SILENT: ReadonlySet<Withheld> = new Set(['leak', 'too_long']);

/** Yields the sentences of a reply that may be said, as the pieces come in. Never empty. */
export async function* sayGrounded(
  pieces: AsyncIterable<string>,
  speech: Speech,
  needs: SpeechNeeds,
): AsyncGenerator<string> {
  const check = sentenceCheck(speech, needs);
  const replaced = new Set<string>();
  let length = 0;
  /** Blank lines, which go out with the next words. */
  let gap = '';
  for await (const raw of sentencesIn(pieces)) {
    const sentence = plainSpeech(raw);
    if (sentence.trim() === '') {
      gap += sentence;
      continue;
    }
    const withheld = await check(raw, sentence);
    const text =
      withheld === null ? withoutMarks(sentence) : substituteFor(withheld, sentence, needs, replaced);
    if (text === '') continue;
    yield length === 0 ? text.trimStart() : gap.replace(/\n{3,}/g, '\n\n') + text;
    length += gap.length + text.length;
    gap = '';
    if (length > MAX_SAID) return;
  }
  if (length === 0) yield wordsIn(needs.locale).cannotAnswer;
}

/** Checks one sentence after the other, because "it" is the truck of the one before, and counts what is withheld. */
function sentenceCheck(speech: Speech, { trucks, dealer, prompt }: SpeechNeeds) {
  const leaks = leakGuard(prompt.secret, prompt.canary);
  const about = [dealer.name, dealer.address, dealer.city, dealer.zip].filter((text) => text !== null);
  const aboutDealer = knownFacts(...about);
  let subject: string[] = [];
  let lookUps = MAX_LOOK_UPS;

  async function lookUp(sentence: string): Promise<void> {
    for (const vin of vinsNamed(sentence)) {
      if (lookUps === 0 || trucks.known().some((truck) => truck.vin === vin)) continue;
      lookUps -= 1;
      await trucks.recall([vin]);
    }
  }

  function reasonAgainst(raw: string, sentence: string): Withheld | null {
    if (leaks.leaks(withoutMarks(sentence))) return 'leak';
    if (raw.length >= MAX_SENTENCE) return 'too_long';
    const facts = mergeFacts([aboutDealer, trucks.facts()]);
    const searches = trucks.searches();
    const judged = judgeSentence(sentence, { trucks: trucks.known(), dealer, facts, searches, subject });
    if (!judged.ok) return judged.reason;
    subject = judged.subject;
    for (const vin of judged.vins) speech.vins.add(vin);
    return null;
  }

  return async (raw: string, sentence: string): Promise<Withheld | null> => {
    await lookUp(sentence);
    const reason = reasonAgainst(raw, sentence);
    if (reason !== null) speech.withheld[reason] = (speech.withheld[reason] ?? 0) + 1;
    return reason;
  };
}

/** What is said instead, each once an answer; '' when that is nothing. */
function substituteFor(
  reason: Withheld,
  sentence: string,
  { locale }: SpeechNeeds,
  replaced: Set<string>,
): string {
  const { noSuchVin, unconfirmed } = wordsIn(locale);
  const substitute = reason === 'vin' ? noSuchVin : unconfirmed;
  if (SILENT.has(reason) || replaced.has(substitute)) return '';
  replaced.add(substitute);
  return `${substitute}${/\s*$/.exec(sentence)?.[0] || ' '}`;
}

async function* sentencesIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = sentenceSplitter();
  let room = MAX_READ;
  for await (const piece of pieces) {
    yield* splitter.push(piece.slice(0, room));
    room -= piece.length;
    if (room <= 0) return;
  }
  yield* splitter.end();
}
