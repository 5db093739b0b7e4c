import { describe, expect, test } from 'vitest';
import { isHeldOut } from './fresh-probes.ts';
import { judgeFresh } from './fresh-rules.ts';
import { measureFresh } from './summary.ts';

describe('what was written before the vocabulary was read', async () => {
  const probes = await judgeFresh();
  const groups = Map.groupBy(probes, ({ rule }) => rule);

  test.each([...groups])('%s: at least 95 of 100', (_, probes) => {
    const { precision, recall, wrong: wrongProbes } = measureFresh(probes);
    // Of the held-out ones only how many.
    const message = JSON.stringify(wrongProbes.filter(({ text }) => !isHeldOut(text)).slice(0, 20));
    expect(precision, message).toBeGreaterThanOrEqual(0.95);
    expect(recall, message).toBeGreaterThanOrEqual(0.93);
  });

  test('all rules together: at least 97 of 100, and at least 93 of what was held out', () => {
    expect(measureFresh(probes).share).toBeGreaterThanOrEqual(0.97);
    expect(measureFresh(probes.filter(({ text }) => isHeldOut(text))).share).toBeGreaterThanOrEqual(0.93);
  });
});
