import { expect, test } from 'vitest';
import { canonicalJson, sameJson } from '../../../lib/domain/text/canonical-json.ts';
import * as fc from '../../support/oracles/fast-check.ts';

test('two values are the same exactly when their canonical JSON is', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(sameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      expect(sameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true);
    }),
  );
});

test('order of members does not count, order of items, kind and absence do', () => {
  expect(sameJson({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson([], {})).toBe(false);
  expect(sameJson({ a: null }, {})).toBe(false);
  expect(sameJson({ a: null }, { b: null })).toBe(false);
  expect(sameJson({}, { toString: 1 })).toBe(false);
});
