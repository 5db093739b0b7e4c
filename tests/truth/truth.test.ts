import { describe, expect, test } from 'vitest';
import { measureRules } from './measure.ts';

const rules = measureRules();

describe('what dealers write is read right', () => {
  test.each(rules)('$rule: at least 97 of 100', ({ precision, recall, wrong }) => {
    expect(wrong.slice(0, 20).length === 0 || precision >= 0.97, JSON.stringify(wrong.slice(0, 20))).toBe(
      true,
    );
    expect(recall, JSON.stringify(wrong.slice(0, 20))).toBeGreaterThanOrEqual(0.97);
  });

  test('there are a thousand probes, no consumer body is let in and no truck is kept out', () => {
    expect(rules.reduce((sum, { probes }) => sum + probes, 0)).toBeGreaterThanOrEqual(1_000);
    expect(rules.find(({ rule }) => rule === 'blocked body')?.wrong).toEqual([]);
  });
});
