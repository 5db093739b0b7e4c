import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { computeCheckDigit } from '../../lib/truck/vin/vin.ts';

/**
 * Probes that were written from knowledge of the trade, before the vocabulary was read: texts, records and queries with
 * what is true of each, in `fresh/*.txt`. Every third is held out: faults are mended by looking at the others only.
 */

export interface FreshProbe {
  /** As dealers and buyers write it. */
  text: string;
  expected: string;
  /** The heading above it. */
  group: string;
}

/** Probes of exports that were looked at while their faults were mended: added later, and never held out. */
const NEVER_HELD_OUT = new Set(readProbes('seen').map(({ text }) => text));

export const isHeldOut = (text: string): boolean =>
  !NEVER_HELD_OUT.has(text) && Number.parseInt(hash('sha256', text).slice(0, 8), 16) % 3 === 0;

/** Lines `text = expected` under headings `# group`; of lines without an equals sign nothing is expected. */
export function readProbes(name: string): FreshProbe[] {
  const text = readFileSync(new URL(`fresh/${name}.txt`, import.meta.url), 'utf8');
  const probes: FreshProbe[] = [];
  let group = '';
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    if (line.startsWith('# ')) group = line.slice(2);
    else {
      const at = line.lastIndexOf(' = ');
      const [text, expected] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 3)];
      probes.push({ text: text.trim(), expected: expected.trim(), group });
    }
  }
  return probes;
}

/** Columns of a line, apart by semicolons. */
export const splitColumns = (line: string): string[] => line.split(';').map((value) => value.trim());

/** `_` at the place of the check digit stands for the right one. */
export function withCheckDigit(vin: string): string {
  return vin.replace('_', () => computeCheckDigit(vin.replace('_', '0')) ?? '0');
}
