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
