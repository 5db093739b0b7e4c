/** Cleaning of text as dealers send it. Everything here is idempotent and gives well-formed strings without NUL. */

/** Nothing we keep is longer; what is longer is cut before any work is spent on it. */
const MAX_LENGTH = 65_536;
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** True for a string without a single visible character. */
export function isBlank(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code > 0x20 && code < 0x7f) return false;
  return !VISIBLE.test(text);
}

/** The text of a string or finite number, else null: `4300` is a fine model. */
export function toText(raw: unknown): string | null {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : null;
}

/** A value of JSON as one text, the items of a list after commas; '' for an object, whose members may hide `toString`. */
export function flatText(raw: unknown): string {
  if (Array.isArray(raw)) return raw.map(flatText).join(',');
  return typeof raw === 'object' || raw === undefined ? '' : String(raw).trim();
}

/** `="006"`, by which a spreadsheet marks a cell as text. */
const TEXT_CELL = /^\s*="(.*)"\s*$/s;

/** What stands in a cell of a spreadsheet; other texts as they are. */
export const unwrapCell = (text: string): string =>
  text.includes('="') ? (TEXT_CELL.exec(text)?.[1] ?? text) : text;

/** Letters and digits as wide as Chinese ones are the plain ones. */
export const foldWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));

/** One line: well formed, NFC, of plain width, no control characters, white space runs as one blank, trimmed. */
export function cleanLine(raw: string): string {
  const text = limitLength(raw);
  if (PRINTABLE_ASCII.test(text)) return (text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text).trim();
  const plain = text
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085]/g, ' ')
    .replace(/\p{Cc}/gu, '');
  return toNormalForm(foldWidth(plain), 'NFC')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
}

/** Like `cleanLine`, but lines stay lines and inner blanks stay. */
export function cleanBlock(raw: string): string {
  const text = limitLength(raw);
  if (PRINTABLE_ASCII.test(text)) return text.trim();
  const plain = text
    .toWellFormed()
    .replace(/\r\n?|\u0085/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '');
  return toNormalForm(plain, 'NFC').trim();
}

const LINE_TAG = /<\/?(?:p|br|div|li|h[1-6]|tr|hr)(?:[\s/][^<>]*)?>/gi;
const OTHER_TAG = /<\/?(?:ul|ol|td|table|tbody|span|font|b|i|u|em|strong|a|img)(?:[\s/][^<>]*)?>/gi;
const ENTITIES = /&(amp|lt|gt|quot|apos|nbsp|#39|#160);/gi;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
};

/** The text of what a web site's editor wrote as HTML; any other text as it is. */
export function withoutMarkup(text: string): string {
  const untagged = text.replace(LINE_TAG, '\n').replace(OTHER_TAG, '');
  if (untagged === text) return text;
  return untagged
    .replace(ENTITIES, (_, name: string) => CHARACTERS[name.toLowerCase()] ?? ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** At most `max` UTF-16 units, never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const code = text.charCodeAt(max - 1);
  const splits = code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, splits ? max - 1 : max).trimEnd();
}

/** Letters and digits in upper case: what spellings are compared by. */
export function foldKey(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return toNormalForm(text, 'NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Letters and digits of what stands in a cell of which nothing is known: `N/A`, `-`, `TBD`. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  '',
  ...'NA NONE NULL NIL UNKNOWN UNK UNDEFINED UNSPECIFIED NOTSPECIFIED TBD TBA'.split(' '),
]);

export const isPlaceholder = (text: string): boolean =>
  text.length <= 40 && !/\d/.test(text) && PLACEHOLDERS.has(foldKey(text));

/** Lower-case words joined by underscores: `Hydro Excavator` → `hydro_excavator`. Empty when there are no words. */
export function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** `26001` → `26,001`, without the cost of a locale. */
export function groupDigits(value: number): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** A value as received, fit for an answer: short, clean, and JSON. */
export function toReceivedValue(raw: unknown): string | number | boolean | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'string') {
    const text = cleanLine(raw.slice(0, 1_000));
    return text.length > 120 ? `${cut(text, 119)}…` : text;
  }
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw);
  if (typeof raw === 'boolean') return raw;
  if (Array.isArray(raw)) return `[array of ${raw.length}]`;
  return typeof raw === 'object' ? '[object]' : `[${typeof raw}]`;
}

/** The same as words of a sentence. */
export function quoteValue(raw: unknown): string {
  const value = toReceivedValue(raw);
  if (typeof value === 'string' && typeof raw === 'string') return `"${cut(value, 40)}"`;
  return String(value);
}

function limitLength(raw: string): string {
  return raw.length > MAX_LENGTH ? raw.trimStart().slice(0, MAX_LENGTH) : raw;
}

/** More marks on one letter than any language writes (UAX #15, Stream-Safe Text Format). */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Texts in which nothing has to be looked for but spaces. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Its own normal form, as most texts are. */
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The Unicode normal form of a text, with at most 30 combining marks in a row: normalizing sorts each row, in quadratic
 * time, so that some hundred bytes of a compressed file would take minutes.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return ASCII.test(text) ? text : text.replace(PILED_MARKS, '$1').normalize(form);
}

const MAX_QUOTED = 60;

/** What a seller named something, in a mail that the service signs: on one line, and too short for a message. */
export const quote = (name: string): string => `“${cut(cleanLine(name), MAX_QUOTED)}”`;

/** The provider of a listing in a sentence; '' is none. */
export const nameProvider = (provider: string): string =>
  provider === '' ? 'no source_provider_id' : `source_provider_id "${cut(provider, MAX_QUOTED)}"`;
