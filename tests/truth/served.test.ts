import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isHeldOut } from './fresh-probes.ts';
import { judgeVehicles } from './fresh-records.ts';
import { type JudgedQuery, judgeQueries } from './lot.ts';
import { type ProbedService, startProbedService } from './service.ts';
import { heldOut, isGood, measureQueries } from './summary.ts';
import { judgeSlips } from './vin-slips.ts';

let service: ProbedService;
beforeAll(async () => {
  service = await startProbedService();
});
afterAll(() => service.close());

test('no consumer vehicle is listed as a truck, and no truck is rejected', async () => {
  const vehicles = await judgeVehicles(service);
  const outcomes = (file: string) => vehicles.filter(({ rule }) => rule === file);
  expect(outcomes('consumers').length).toBeGreaterThanOrEqual(100);
  expect(outcomes('consumers').filter(({ value }) => value === 'listed')).toEqual([]);
  expect(outcomes('trucks').length).toBeGreaterThanOrEqual(150);
  expect(outcomes('trucks').filter(({ value }) => value !== 'listed' && value !== 'hidden')).toEqual([]);
});

test('the true VIN is among the first three suggestions for 85 of 100 slips', async () => {
  const slips = await judgeSlips(service);
  expect(slips.length).toBeGreaterThanOrEqual(500);
  expect(slips.filter(({ isRight }) => isRight).length / slips.length).toBeGreaterThanOrEqual(0.85);
});

describe('what buyers type finds what they mean', () => {
  let queries: JudgedQuery[];
  beforeAll(async () => {
    queries = await judgeQueries(service);
  });

  test('every query means something on the lot', () => {
    expect(queries.length).toBeGreaterThanOrEqual(150);
    expect(queries.filter(({ expectedCount }) => expectedCount === 0)).toEqual([]);
  });

  test('95 of 100 queries find it, with 90 of 100 of it', () => {
    const misses = queries.filter((query) => !isGood(query) && !isHeldOut(query.text));
    const { precision, recall, good } = measureQueries(queries);
    expect(precision, JSON.stringify(misses)).toBeGreaterThanOrEqual(0.95);
    expect(recall, JSON.stringify(misses)).toBeGreaterThanOrEqual(0.9);
    expect(good, JSON.stringify(misses)).toBeGreaterThanOrEqual(0.95);
    expect(measureQueries(heldOut(queries)).good).toBeGreaterThanOrEqual(0.9);
  });
});
