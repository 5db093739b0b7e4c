export interface Line {
  /** Without the line feed. */
  text: string;
  /** Counted from 1. */
  no: number;
  /** It is longer than a row may be: the rest is left out. */
  isCut: boolean;
  /** The text ends without a line feed. */
  isUnended: boolean;
}

/** Lines of at most so many characters, however the text comes in pieces. */
export async function* readLines(
  pieces: AsyncIterable<string>,
  most: number,
  ending = '\n',
): AsyncGenerator<Line[]> {
  let no = 0;
  let rest = '';
  const toLine = (text: string, isUnended: boolean): Line => ({
    text: text.slice(0, most),
    no: ++no,
    isCut: text.length > most,
    isUnended,
  });
  for await (const piece of pieces) {
    const found = (rest + piece).split(ending);
    rest = (found.pop() ?? '').slice(0, most + 1);
    yield found.map((text) => toLine(text, false));
  }
  if (rest !== '') yield [toLine(rest, true)];
}
