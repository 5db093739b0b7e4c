import type { ChatLocale } from '../../contract/widget/widget-chat.ts';
import { wordsIn } from '../../domain/chat/chat-words.ts';
import {
  judgeSentence,
  type Ungrounded,
  vinsNamed,
  withoutMarks,
} from '../../domain/chat/grounded-sentence.ts';
import { plainSpeech } from '../../domain/chat/plain-speech.ts';
import { leakGuard } from '../../domain/chat/prompt-leak.ts';
import { LONGEST_SENTENCE, sentenceSplitter } from '../../domain/chat/sentences.ts';
import type { Dealer } from '../../ports/dealers.ts';
import type { Prompt } from './chat-prompt.ts';
import type { ChatTrucks } from './chat-trucks.ts';

/** What happened to a reply on its way to the visitor. */
export interface Speech {
  /** Trucks that were spoken of, in that order. */
  vins: Set<string>;
  /** How many sentences were held back, by reason; what they said is kept nowhere. */
  held: Partial<Record<Ungrounded | 'leak' | 'too_long', number>>;
}

export interface SpeechNeeds {
  trucks: ChatTrucks;
  dealer: Dealer;
  locale: ChatLocale;
  prompt: Prompt;
}

/** Nobody reads more; a model that does not stop is stopped. */
const MOST_CHARACTERS = 4_000;
/** VINs that the model names without having asked for them. */
const MOST_LOOK_UPS = 5;
/** Held back without a word. */
const SILENT: ReadonlySet<string> = new Set(['leak', 'contact', 'too_long']);

/** The sentences of a reply that may be said, as the pieces come in. Never empty. */
export async function* spoken(
  pieces: AsyncIterable<string>,
  speech: Speech,
  needs: SpeechNeeds,
): AsyncGenerator<string> {
  const words = wordsIn(needs.locale);
  const leaks = leakGuard(needs.prompt.secret, needs.prompt.canary);
  const replaced = new Set<string>();
  let subject: string[] = [];
  let lookUps = MOST_LOOK_UPS;
  let length = 0;
  /** Blank lines, which go out with the next words. */
  let gap = '';

  /** The sentence, what is said in its place, or ''. */
  async function admitted(raw: string): Promise<string> {
    const sentence = plainSpeech(raw);
    if (sentence.trim() === '') {
      gap += sentence;
      return '';
    }
    for (const vin of vinsNamed(sentence))
      if (lookUps > 0 && !needs.trucks.known().some((truck) => truck.vin === vin)) {
        lookUps -= 1;
        await needs.trucks.recall([vin]);
      }
    const reason = leaks.leaks(withoutMarks(sentence)) ? 'leak' : reasonOf(raw, sentence);
    if (reason === null) return length === 0 ? withoutMarks(sentence).trimStart() : withoutMarks(sentence);
    speech.held[reason] = (speech.held[reason] ?? 0) + 1;
    if (SILENT.has(reason)) return '';
    const substitute = reason === 'vin' ? words.noSuchVin : words.unconfirmed;
    if (replaced.has(substitute)) return '';
    replaced.add(substitute);
    return `${substitute}${/\s*$/.exec(sentence)?.[0] || ' '}`;
  }

  function reasonOf(raw: string, sentence: string): keyof Speech['held'] | null {
    if (raw.length >= LONGEST_SENTENCE) return 'too_long';
    const { trucks, dealer } = needs;
    const about = [dealer.name, dealer.address, dealer.city, dealer.zip].filter((text) => text !== null);
    const judged = judgeSentence(sentence, {
      trucks: trucks.known(),
      dealer,
      facts: [...trucks.facts(), ...about],
      subject,
    });
    if (!judged.ok) return judged.reason;
    subject = judged.subject;
    for (const vin of judged.vins) speech.vins.add(vin);
    return null;
  }

  for await (const raw of sentencesOf(pieces)) {
    const text = await admitted(raw);
    if (text === '') continue;
    yield length === 0 ? text : gap.replace(/\n{3,}/g, '\n\n') + text;
    length += gap.length + text.length;
    gap = '';
    if (length > MOST_CHARACTERS) return;
  }
  if (length === 0) yield words.cannotAnswer;
}

async function* sentencesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = sentenceSplitter();
  for await (const piece of pieces) yield* splitter.push(piece);
  yield* splitter.end();
}
