import { expect, test } from 'vitest';
import { safeCsv } from '../../../lib/http/safe-csv.ts';
import { addFormulaGuard, removeFormulaGuard } from '../../../lib/truck/text/formula-guard.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...`'"=+-@;|,\t\r\n\v\u2028\u200b\ufeff\u00a0 a1＝`), maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);

test.each([
  ['=1+1', "'=1+1"],
  ['-5', '-5'],
  ['x\n=1', "x\n'=1"],
  ['\u200b=1', "'\u200b=1"],
  ['4x4; 6 cyl | 5-speed', '4x4; 6 cyl | 5-speed'],
])('%j is written as %j', (text, guardedText) => {
  expect(addFormulaGuard(text)).toBe(guardedText);
  expect(removeFormulaGuard(guardedText)).toBe(text);
});

test('whatever a cell holds, it is read as it was before it was written', () => {
  fc.assert(
    fc.property(cell, (text) => {
      expect(removeFormulaGuard(addFormulaGuard(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test('at whatever a reader splits our CSV, no piece is a formula', async () => {
  const csv = await safeCsv();
  const isNumber = /^"?-\d+(?:\.\d+)?"?$/;
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(';', '|', '\t'),
      (row, separator) => {
        const pieces = csv([row.map((text) => text.replaceAll(',', ''))])
          .split(/[\r\n\v\f\u0085\u2028\u2029]|,/)
          .flatMap((line) => [line, ...line.split(separator)]);
        for (const piece of pieces)
          if (!isNumber.test(piece)) expect(piece).not.toMatch(/^["\p{Zs}\p{Cf}]*[=+\-@＝]/u);
      },
    ),
    { numRuns: 2_000 },
  );
});
