import { describe, expect, test } from 'vitest';
import { isHeldOut } from './fresh-probes.ts';
import { judgeFresh } from './fresh-rules.ts';
import { measureFresh } from './summary.ts';

describe('what was written before the vocabulary was read', async () => {
  const judged = await judgeFresh();
  const groups = Map.groupBy(judged, ({ rule }) => rule);

  test.each([...groups])('%s: at least 95 of 100', (_, probes) => {
    const { precision, recall, wrong } = measureFresh(probes);
    // Of the held-out ones only how many.
    const shown = JSON.stringify(wrong.filter(({ sent }) => !isHeldOut(sent)).slice(0, 20));
    expect(precision, shown).toBeGreaterThanOrEqual(0.95);
    expect(recall, shown).toBeGreaterThanOrEqual(0.93);
  });

  test('all rules together: at least 97 of 100, and at least 93 of what was held out', () => {
    expect(measureFresh(judged).share).toBeGreaterThanOrEqual(0.97);
    expect(measureFresh(judged.filter(({ sent }) => isHeldOut(sent))).share).toBeGreaterThanOrEqual(0.93);
  });
});
