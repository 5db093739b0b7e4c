import { describe, expect, test } from 'vitest';
import { NO_FIELDS } from '../../../lib/truck/listing/merge.ts';
import { explainQuality, type Shown, scoreQuality } from '../../../lib/truck/listing/quality.ts';
import { FIELDS } from '../../../lib/truck/record/fields.ts';
import type { FieldName } from '../../../lib/truck/record/record.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { mergedTruck } from '../arbitraries.ts';

const FULL: Shown = {
  fields: {
    ...NO_FIELDS,
    ...Object.fromEntries(Object.entries(FIELDS).map(([name, { example }]) => [name, example])),
    description: 'x'.repeat(40),
  },
  images: 5,
  located: true,
};
const shown = fc.record({
  fields: mergedTruck.map((truck) => truck.fields),
  images: fc.nat(8),
  located: fc.boolean(),
});

describe('quality', () => {
  test('the parts add up to the score, each is had whole or not at all, and raise leads to 100', () => {
    fc.assert(
      fc.property(shown, (listing) => {
        const { score, missing, parts, raise } = explainQuality(scoreQuality(listing));
        expect(parts.reduce((sum, { points }) => sum + points, 0)).toBe(score);
        expect(parts.reduce((sum, part) => sum + part.of, 0)).toBe(100);
        for (const { part, points, of, why } of parts) {
          expect(points).toBe(missing.includes(part) ? 0 : of);
          if (points > 0) expect(why).toBeUndefined();
        }
        expect(raise.map(({ field }) => field)).toEqual(
          missing.map((item) => (item === 'more_images' ? 'images' : item)),
        );
        expect(raise.reduce((sum, { points }) => sum + points, score)).toBe(100);
      }),
    );
  });

  test('sending what raise names first raises the score by its points', () => {
    fc.assert(
      fc.property(shown, (listing) => {
        const { score, raise } = explainQuality(scoreQuality(listing));
        const [best] = raise;
        if (best === undefined) return;
        const richer: Shown = structuredClone(listing);
        if (best.field === 'images') richer.images = listing.images === 0 ? 1 : 5;
        else if (best.field === 'location') richer.located = true;
        else Object.assign(richer.fields, { [best.field]: FULL.fields[best.field as FieldName] });
        expect(scoreQuality(richer).score).toBe(score + best.points);
      }),
    );
  });
});
