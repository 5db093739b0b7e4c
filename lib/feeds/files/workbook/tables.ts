import type { FileLimits } from '../limits.ts';
import type { XmlReader } from '../xml/parser.ts';
import { damaged, readWholePart } from './part.ts';

/** What the cells of a workbook refer to: texts, and which of its formats are dates. */

type Part = AsyncIterable<Uint8Array>;

/** So many texts take no list that is allotted in too large a piece. */
const MAX_STRINGS = 1_000_000;

/** Texts that cells share, by number. */
export async function readStrings(part: Part, limits: FileLimits): Promise<string[]> {
  const strings: string[] = [];
  const text = textReader(limits);
  const reader: Omit<XmlReader, 'error'> = {
    open(name) {
      if (name === 'si') text.begin();
      text.open(name);
    },
    text: text.add,
    close(name) {
      text.close(name);
      if (name === 'si') strings.push(text.end());
      if (strings.length > MAX_STRINGS) throw damaged(new Error('too many texts'));
    },
  };
  await readWholePart(part, reader, limits);
  return strings;
}

/** Gathers what the `t` elements of a text hold, but for how it is pronounced; what is too long is cut right behind the limit. */
export function textReader({ maxCell }: FileLimits) {
  let gathered = '';
  let inText = false;
  let pronounced = false;
  return {
    begin() {
      gathered = '';
    },
    open(name: string) {
      if (name === 't') inText = true;
      else if (name === 'rPh') pronounced = true;
    },
    add(text: string) {
      if (inText && !pronounced && gathered.length <= maxCell) gathered += text.slice(0, maxCell + 1);
    },
    close(name: string) {
      if (name === 't') inText = false;
      else if (name === 'rPh') pronounced = false;
    },
    end: () => unescapeCharacters(gathered).trim(),
  };
}

/** `_x000D_`: characters that XML does not take. */
export const unescapeCharacters = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** Of the formats that every workbook has. */
const DATE_FORMATS: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
/** Excel writes 65,490 at most. */
const MAX_STYLES = 100_000;

/** For each style of a cell whether it shows a date. */
export async function readDateStyles(part: Part, limits: FileLimits): Promise<boolean[]> {
  const own = new Map<number, boolean>();
  const styles: boolean[] = [];
  let inCells = false;
  const reader: Omit<XmlReader, 'error'> = {
    open(name, { numFmtId = '', formatCode = '' }) {
      const id = Number(numFmtId);
      if (name === 'numFmt' && own.size < MAX_STYLES) own.set(id, isDateFormat(formatCode.slice(0, 300)));
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells && styles.length < MAX_STYLES)
        styles.push(own.get(id) ?? DATE_FORMATS.some(([from, to]) => id >= from && id <= to));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  };
  await readWholePart(part, reader, limits);
  return styles;
}

/** `yyyy\-mm\-dd`, `[$-409]d-mmm-yy;@`: parts of dates and times, and no digits of a number. */
function isDateFormat(code: string): boolean {
  const bare = withoutTexts(code.toLowerCase()).replaceAll('am/pm', ' ').replaceAll('a/p', ' ');
  return /[dmyhs]/.test(bare) && /^[dmyhsge\s/:.,-]*$/.test(bare);
}

/** The first of a format's variants, without what it shows as it stands. */
function withoutTexts(code: string): string {
  let bare = '';
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const closing = { '"': '"', '[': ']' }[code[at] ?? ''];
    if (closing !== undefined) {
      const end = code.indexOf(closing, at + 1);
      at = end === -1 ? code.length : end;
    } else if ('\\_*'.includes(code[at] ?? '')) at += 1;
    else bare += code[at];
  }
  return bare;
}
