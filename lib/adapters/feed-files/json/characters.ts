/** Characters of JSON that carry its structure. */

export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const BACKSLASH = 92;
export const OPEN_LIST = 91;
export const CLOSE_LIST = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;
export const LINE_FEED = 10;

export const opens = (code: number) => code === OPEN_OBJECT || code === OPEN_LIST;
export const closes = (code: number) => code === CLOSE_OBJECT || code === CLOSE_LIST;
export const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff;

/** A place in the text. */
export interface Start {
  at: number;
  line: number;
}
