/** Cleans texts as dealers send them. All functions are idempotent and return well-formed strings without NUL. */

/** Longer texts are cut first: nothing that is stored is longer. */
const MAX_LENGTH = 65_536;
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** True for a string without a single visible character. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Returns a string, or a finite number as text, since `4300` may be a model; else null. */
export function toText(raw: unknown): string | null {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : null;
}

/** Returns a JSON value as one text, a list joined by commas; '' for an object, which may have its own `toString`. */
export function flatText(raw: unknown): string {
  if (Array.isArray(raw)) return raw.map(flatText).join(',');
  return typeof raw === 'object' || raw === undefined ? '' : String(raw).trim();
}

/** Matches `="006"`, by which a spreadsheet marks a cell as text. */
const TEXT_CELL = /^\s*="(.*)"\s*$/s;

/** Removes a spreadsheet's mark from a cell; other texts stay as they are. */
export const unwrapCell = (text: string): string =>
  text.includes('="') ? (TEXT_CELL.exec(text)?.[1] ?? text) : text;

/** Replaces full-width letters and digits by plain ones. */
export const foldWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));

/** Returns one line: well formed, NFC, plain width, without control characters, white space collapsed and trimmed. */
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

/** Like `cleanLine`, but keeps line breaks and inner blanks. */
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

/** Removes HTML that a web site's editor wrote; other texts stay as they are. */
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

/** Cuts a text to at most `max` UTF-16 units, never within a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const code = text.charCodeAt(max - 1);
  const splits = code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, splits ? max - 1 : max).trimEnd();
}

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Returns letters and digits in upper case, to compare spellings. */
export function foldKey(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return toNormalForm(text, 'NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Folded placeholders for an unknown value: `N/A`, `-`, `TBD`. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  '',
  ...'NA NONE NULL NIL UNKNOWN UNK UNDEFINED UNSPECIFIED NOTSPECIFIED TBD TBA'.split(' '),
]);

export const isPlaceholder = (text: string): boolean =>
  text.length <= 40 && !/\d/.test(text) && PLACEHOLDERS.has(foldKey(text));

/** Joins lower-case words by underscores: `Hydro Excavator` → `hydro_excavator`. Empty if there are no words. */
export function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** `26001` → `26,001`, cheaper than by a locale. */
export function groupDigits(value: number): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Makes a received value short, clean and JSON, for an answer. */
export function toReceivedValue(raw: unknown): string | number | boolean | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'string') {
    const text = cleanLine(raw.slice(0, 1_000));
    return text.length > 120 ? `${cut(text, 119)}…` : text;
  }
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw);
  if (typeof raw === 'boolean') return raw;
  if (Array.isArray(raw)) return `[array of ${raw.length}]`;
  return '[object]';
}

/** Formats a received value for a sentence. */
export function quoteValue(raw: unknown): string {
  const value = toReceivedValue(raw);
  if (typeof value === 'string' && typeof raw === 'string') return `"${cut(value, 40)}"`;
  return String(value);
}

function limitLength(raw: string): string {
  return raw.length > MAX_LENGTH ? raw.trimStart().slice(0, MAX_LENGTH) : raw;
}

/** More combining marks on one letter than any language uses (UAX #15, Stream-Safe Text Format). */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Texts that need no cleaning except for spaces. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Texts that are their own normal form, as most are. */
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Normalizes a text, with at most 30 combining marks in a row. Normalizing sorts them in quadratic time, so that some
 * hundred bytes of a compressed file would take minutes.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return ASCII.test(text) ? text : text.replace(PILED_MARKS, '$1').normalize(form);
}

const MAX_QUOTED = 60;

/** Quotes a seller's name in a mail of the service: on one line, and too short to be misused for a message. */
export const quote = (name: string): string => `“${cut(cleanLine(name), MAX_QUOTED)}”`;

/** Names the provider of a listing in a sentence. */
export const nameProvider = (provider: string): string =>
  provider === '' ? 'no source_provider_id' : `source_provider_id "${cut(provider, MAX_QUOTED)}"`;
