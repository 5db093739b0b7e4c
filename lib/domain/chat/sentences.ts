/** Cuts a text that arrives in pieces into sentences, so that each can be checked before anybody reads it. */

/** Nothing of a sentence beyond this is kept; what is longer is no sentence. */
export const MAX_SENTENCE = 1_000;

const END_MARK = /[.!?\u2026]/;
const CLOSING = /["')\]»”’*_`]/;
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:\p{L}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|sr|sra|st|nos?|núm|inc|ltd|co|corp|vs|etc|approx|aprox|env|ca|mi|lbs?|hp|ft|gal|hrs?|min|max|est|jr|ave?|blvd|rd|hwy|tel|ext)\.\s$/iu;
const LIST_NUMBER = /^\s*\d{1,2}\.\s$/;

export interface SentenceSplitter {
  /** Takes the next piece and returns the sentences that are complete by now, each with the white space after it. */
  push(piece: string): string[];
  /** The rest; empty when there is none. */
  end(): string[];
}

/**
 * Looks at each character once. Where the pieces are cut makes no difference, and the sentences joined are the text,
 * but for what goes beyond `MAX_SENTENCE`. A sentence ends at an end mark before white space and at the end of a line;
 * not after an abbreviation, an initial or the number of a list item. When in doubt two sentences stay one.
 */
export function sentenceSplitter(): SentenceSplitter {
  let open = '';
  /** Nothing but closing quotes and brackets came after an end mark. */
  let isEnding = false;

  function isComplete(char: string): boolean {
    if (char === '\n') return true;
    if (isEnding && /\s/.test(char))
      return open.length >= MAX_SENTENCE || !(ABBREVIATIONS.test(open.slice(-24)) || LIST_NUMBER.test(open));
    isEnding = END_MARK.test(char) || (isEnding && CLOSING.test(char));
    return false;
  }

  return {
    push(piece) {
      const sentences: string[] = [];
      for (let at = 0; at < piece.length; at += 1) {
        const char = piece.charAt(at);
        if (open.length < MAX_SENTENCE) open += char;
        if (!isComplete(char)) continue;
        sentences.push(open);
        open = '';
        isEnding = false;
      }
      return sentences;
    },
    end() {
      const rest = open === '' ? [] : [open];
      open = '';
      return rest;
    },
  };
}
