import { cut } from '../text/text.ts';
import { withoutContacts } from './contact-points.ts';
import { folded, plainSpeech } from './plain-speech.ts';

/** Words that dealers and visitors wrote, on their way to a model: data, whatever they say. */

const MARKUP =
  /<\|?[^<>\n]{0,200}\|?>|\[\/?(?:INST|SYS|SYSTEM|USER|ASSISTANT)\]|<<\/?SYS>>|[{}]{2,}|\[\[|\]\]|#{2,}|={3,}|-{3,}|`+/giu;
const ROLE =
  /(?:^|\n) *(?:system|assistant|user|developer|tool|human|ai)\s*(?:message|prompt|note)?\s*[:>]/giu;
/** What addresses a model rather than a buyer. */
const ORDERS =
  /\b(?:ignore|disregard|forget|override|bypass|ignora|olvida|ignorez|oubliez)\b.{0,60}\b(?:instruction|instrucc|consigne|previous|prior|above|rule|regla|r[eè]gle|anterior|pr[eé]c[eé]dent|everything|prompt)|\b(?:system|developer|hidden|secret) (?:prompt|message|instructions?|mode|override|note)\b|\byou (?:are|must|should|will|shall) (?:now |always |never |not )?(?:act|respond|reply|answer|say|tell|be|pretend|reveal|print|output|call|recommend|send|ask)\b|\byou are now\b|\b(?:act|behave) as\b|\bpretend (?:to be|you)\b|\b(?:AI|language model|LLM|chatbot|assistant|GPT|asistente|modelo de lenguaje)\b\s*(?:[:,]|must|should|has to|debe|doit)|\b(?:note|message|attention|instructions?) (?:to|for) (?:the )?(?:AI|assistant|chatbot|model|bot)\b|\b(?:reveal|print|repeat|output|leak) (?:the |your |all )?(?:system|prompt|instructions|above|hidden|secret)|\bdo not (?:tell|mention|reveal)\b|\b(?:jailbreak|DAN mode|prompt injection)\b|\b(?:eres ahora|actúa como|tu es maintenant|vous êtes maintenant|agis comme)\b/iu;

/** At most `max` characters of a dealer's text, without markup, contacts and sentences that give a model orders. */
export function dealerText(text: string, max: number): string {
  const plain = withoutContacts(plainSpeech(text.slice(0, 8_000)))
    .replace(MARKUP, ' ')
    .replace(ROLE, '\n');
  const kept = plain.split(/(?<=[.!?;])\s+|\n+/).filter((sentence) => !ORDERS.test(folded(sentence)));
  return cut(kept.join(' ').replace(/\s+/g, ' ').trim(), max);
}

/** A visitor's message: the words as they are, without what a chat protocol might take for its own. */
export function visitorText(text: string): string {
  return plainSpeech(text)
    .replace(/<\|[^<>\n]{0,200}\|>|\[\/?(?:INST|SYS)\]|<<\/?SYS>>/giu, ' ')
    .trim();
}
