import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dice } from '../../scripts/trucks/random.ts';
import { judgeSimulated, MIXES, type Mix } from '../support/samples/simulated-lots.ts';

/** Verdicts on simulated lots of known worth, a tenth of whose prices are mistyped. */

const SIZES = [5, 10, 20, 40, 60] as const;
const LOTS = 400;
const DOCS = new URL('../../docs/market.md', import.meta.url);

/** Of trucks that ask `factor` times their worth, the share whose verdict is one of these, in percent. */
function share(mix: Mix, comparables: number, factor: number, verdicts: RegExp): number {
  const random = dice(comparables * 1_000 + Math.round(factor * 100) + mix.length).next;
  const judgements = Array.from({ length: LOTS }, () => judgeSimulated(random, mix, comparables, factor));
  return (100 * judgements.filter((verdict) => verdict !== null && verdicts.test(verdict)).length) / LOTS;
}

const rows = (Object.keys(MIXES) as Mix[]).map((mix) => ({
  mix,
  wrong: SIZES.map((size) => share(mix, size, 1, /^well_/)),
  dear: share(mix, 20, 1.35, /above/),
  cheap: share(mix, 20, 0.65, /below/),
}));

/** Lots on which prices are too far apart, or too little is known, to find much. */
const VAGUE: readonly Mix[] = [
  'prices twice as far apart',
  'far more miles than all others',
  'bodies that nobody states',
  'cabs that nobody states',
  'nothing but other models',
];

test.each(rows)('$mix: a fairly priced truck is called well off at most once in twenty', ({ wrong }) => {
  expect(Math.max(...wrong)).toBeLessThanOrEqual(5);
});

test.each(rows.filter(({ mix }) => !VAGUE.includes(mix)))(
  '$mix: with 20 comparable trucks, 35 % off is found four times of five',
  ({ dear, cheap }) => {
    expect(Math.min(dear, cheap)).toBeGreaterThanOrEqual(80);
  },
);

test('the docs show these figures', () => {
  const percent = (value: number) => `${value.toFixed(1)} %`;
  const table = rows.map(
    ({ mix, wrong, dear, cheap }) => `| ${mix} | ${[...wrong, dear, cheap].map(percent).join(' | ')} |`,
  );
  expect(readFileSync(DOCS, 'utf8')).toContain(table.join('\n'));
});
