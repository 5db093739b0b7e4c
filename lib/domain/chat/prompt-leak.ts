import { folded } from './plain-speech.ts';

/**
 * Whether what the assistant says gives away its instructions. Character codes, letters one by one and figures inside
 * words are withheld because they state nothing that the tools returned.
 */

/** So many words in a row are no coincidence. */
const RUN = 6;
/** Text that hides other text: base64, hexadecimal. */
const ENCODED =
  /(?<![\p{L}\p{N}/+=_-])(?=[\w+/=-]*\d|[\w+/=-]*[A-Z][\w+/=-]*[a-z][\w+/=-]*[A-Z])[\w+/=-]{28,}(?![\p{L}\p{N}/+=_-])/u;
/** Letters as codes. */
const MORSE = /[.\-·–]{1,5}(?:[\s/|]{1,3}[.\-·–]{1,5}){8,}/u;
/** Data as the tools answer it, tags, names of tools: nothing that is said to people. */
const STRUCTURED =
  /["']\w+["']\s*:\s*["'{[\dnft]|[{[]\s*["'{[]|<\/?[a-z][^<>]*>|\b[a-z]+_[a-z_]+\s?\(|\b(?:search_inventory|get_truck|similar_trucks|dealer_text|price_usd|mileage_miles)\b/iu;
const ABOUT_ITSELF =
  /\b(?:(?:my|the|these|own|following) (?:system |hidden |secret |original |initial |internal )?(?:prompt|instructions) (?:is|are|say|says|read|reads|begin|state|tell)|(?:system|developer|initial) (?:prompt|message|instructions?)|prompt del sistema|instrucciones del sistema|mis instrucciones (?:son|dicen)|(?:prompt|message|instructions?) (?:du )?système|mes instructions (?:sont|disent))\b/iu;

export interface LeakGuard {
  /** True when this sentence, after those before it, repeats instructions. */
  leaks(sentence: string): boolean;
}

/**
 * Remembers what was said, so that instructions in small pieces are found too.
 *
 * @param secret the instructions; nothing in them that the assistant has to say itself
 * @param canary a word that stands nowhere but in the instructions
 */
export function leakGuard(secret: string, canary: string): LeakGuard {
  const runs = toRuns(toWords(secret));
  const mark = bare(canary);
  /** The last words and letters said, as they are and as each disguise reads. */
  const disguises = DISGUISES.map((reveal) => ({ reveal, before: [] as string[] }));
  let tail = '';
  return {
    leaks(sentence) {
      const text = folded(sentence);
      const repeats = disguises.map((disguise) => {
        const said = [...disguise.before, ...toWords(disguise.reveal(text))];
        disguise.before = said.slice(-(RUN - 1));
        return [...toRuns(said)].some((run) => runs.has(run));
      });
      const letters = tail + bare(text);
      tail = letters.slice(-mark.length + 1);
      return (
        letters.includes(mark) ||
        backwards(letters).includes(mark) ||
        ENCODED.test(text) ||
        MORSE.test(text) ||
        STRUCTURED.test(text) ||
        ABOUT_ITSELF.test(text) ||
        repeats.includes(true)
      );
    },
  };
}

const backwards = (text: string) => [...text].reverse().join('');
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
/** What undoes the disguises that take no more than asking for them. */
const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => text,
  rot13,
  backwards,
  (text) => text.replace(/[\p{L}\p{N}]+/gu, backwards),
  (text) => text.split(/\s+/).reverse().join(' '),
];

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const toWords = (text: string) =>
  folded(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function toRuns(words: readonly string[]): Set<string> {
  return new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' ')));
}
