import { expect, test } from 'vitest';
import { explainQuality, type ListingContents, scoreQuality } from '../../../lib/truck/listing/quality.ts';
import { FIELDS } from '../../../lib/truck/record/fields.ts';
import type { FieldName } from '../../../lib/truck/record/record.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { mergedTruck } from '../arbitraries.ts';

const contents = fc.record({
  fields: mergedTruck.map((truck) => truck.fields),
  images: fc.nat(8),
  located: fc.boolean(),
});

test('parts add up to the score, each had whole or not at all; what raise names raises it by its points, to 100', () => {
  fc.assert(
    fc.property(contents, (listing) => {
      const { score, missing, parts, raise } = explainQuality(scoreQuality(listing));
      expect(parts.reduce((sum, { points }) => sum + points, 0)).toBe(score);
      expect(parts.reduce((sum, part) => sum + part.of, 0)).toBe(100);
      for (const { part, points, of, why } of parts) {
        expect(points).toBe(missing.includes(part) ? 0 : of);
        if (points > 0) expect(why).toBeUndefined();
      }
      const fields = missing.map((item) => (item === 'more_images' ? 'images' : item));
      expect(raise.map(({ field }) => field)).toEqual(fields);
      expect(raise.reduce((sum, { points }) => sum + points, score)).toBe(100);
      const [best] = raise;
      if (best === undefined) return;
      const richer: ListingContents = structuredClone(listing);
      if (best.field === 'images') richer.images = listing.images === 0 ? 1 : 5;
      else if (best.field === 'location') richer.located = true;
      else {
        const { example } = FIELDS[best.field as FieldName];
        const value = best.field === 'description' ? 'x'.repeat(40) : example;
        Object.assign(richer.fields, { [best.field]: value });
      }
      expect(scoreQuality(richer).score).toBe(score + best.points);
    }),
    { numRuns: 200 },
  );
});
