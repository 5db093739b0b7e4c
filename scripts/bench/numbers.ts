import { computeQuantile, computeMedian as median } from '../../lib/market/figures/market-figures.ts';

export { median };

export const fixed = (value: number, digits: number) => value.toFixed(digits).padStart(8);

/** NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  return computeQuantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs measurements alternately, every round in the opposite order; the results of each by round. */
export async function interleaved(
  rounds: number,
  ...contenders: ((round: number) => Promise<number>)[]
): Promise<number[][]> {
  const results = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...contenders.entries()];
    if (round % 2 === 1) order.reverse();
    for (const [at, measure] of order) results[at]?.push(await measure(round));
  }
  return results;
}

/** The median of the rounds' ratios: what disturbs a whole round, disturbs both sides of it. */
export function medianRatio(one: readonly number[], other: readonly number[]): number {
  return median(one.map((value, round) => value / (other[round] ?? Number.NaN)));
}
