/** Cutting a text that arrives in pieces into sentences, so that each can be judged before anybody reads it. */

/** Nothing of a sentence beyond this is kept; what is longer is no sentence. */
export const LONGEST_SENTENCE = 1_000;

/** End marks, closing quotes and brackets, one white space; or the end of a line. */
const BOUNDARY = /[.!?\u2026]+["')\]»”’*_`]*\s|\n/g;
/** Without the blank that has not come yet. */
const OPEN_END = /[.!?\u2026]+["')\]»”’*_`]*$/;
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:\p{L}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|sr|sra|st|nos?|núm|inc|ltd|co|corp|vs|etc|approx|aprox|env|ca|mi|lbs?|hp|ft|gal|hrs?|min|max|est|jr|ave?|blvd|rd|hwy|tel|ext)\.\s$/iu;
const LIST_NUMBER = /^\s*\d{1,2}\.\s$/;

export interface SentenceSplitter {
  /** Takes the next piece; answers the sentences that are complete by now, each with the white space after it. */
  push(piece: string): string[];
  /** The rest; empty when there is none. */
  end(): string[];
}

/**
 * Where the pieces are cut makes no difference, and the sentences joined are the text, but for what goes beyond
 * `LONGEST_SENTENCE`. A sentence ends at an end mark before white space and at the end of a line; not after an
 * abbreviation, an initial or the number of a list item. When in doubt two sentences stay one.
 */
export function sentenceSplitter(): SentenceSplitter {
  let open = '';
  /** The open sentence went out already, as far as it is kept. */
  let swallowing = false;

  function cutAt(end: number): string {
    const sentence = open.slice(0, end);
    open = open.slice(end);
    return sentence;
  }

  function nextEnd(): number | null {
    for (const match of open.matchAll(BOUNDARY)) {
      const end = match.index + match[0].length;
      if (match[0] === '\n' || match[0].endsWith('\n')) return end;
      const before = open.slice(0, end);
      if (!ABBREVIATIONS.test(before.slice(-24)) && !LIST_NUMBER.test(before)) return end;
    }
    return null;
  }

  function complete(): string[] {
    const sentences: string[] = [];
    for (let end = nextEnd(); end !== null; end = nextEnd()) {
      const sentence = cutAt(end);
      if (!swallowing) sentences.push(sentence.slice(0, LONGEST_SENTENCE));
      swallowing = false;
    }
    if (open.length >= LONGEST_SENTENCE * 2) {
      if (!swallowing) sentences.push(open.slice(0, LONGEST_SENTENCE));
      swallowing = true;
      // The end mark may stand right at the edge.
      open = open.slice(-Math.min(OPEN_END.exec(open)?.[0].length ?? 1, 32));
    }
    return sentences;
  }

  return {
    push(piece) {
      open += piece;
      return complete();
    },
    end() {
      const rest = swallowing || open === '' ? [] : [open.slice(0, LONGEST_SENTENCE)];
      open = '';
      return rest;
    },
  };
}
