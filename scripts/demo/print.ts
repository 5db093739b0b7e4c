import { styleText } from 'node:util';

/** Where NO_COLOR, a pipe or a file asks for plain text, styles leave it plain. */

export const print = (line = ''): void => console.log(line);
export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);

export const step = (name: string, text: string): void =>
  print(`  ${styleText('green', '✓')} ${name.padEnd(8)} ${text}`);

/** 1250 → '1,250'. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
