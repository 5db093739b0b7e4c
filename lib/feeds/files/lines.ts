import { MAX_ROW } from './rows.ts';

export interface Line {
  /** Without its end; of one that is longer than a row may be no more than shows it. */
  text: string;
  /** Counted from 1. */
  no: number;
  /** The text ends without a line feed. */
  isUnended?: boolean;
}

/** Lines of a text that comes in pieces. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<Line[]> {
  let no = 0;
  let rest = '';
  const toLine = (text: string) => ({ text: text.slice(0, MAX_ROW + 1), no: ++no });
  for await (const piece of pieces) {
    const texts = (rest + piece).split('\n');
    rest = (texts.pop() ?? '').slice(0, MAX_ROW + 1);
    yield texts.map(toLine);
  }
  if (rest !== '') yield [{ ...toLine(rest), isUnended: true }];
}
