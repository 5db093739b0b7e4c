export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** By linear interpolation; NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs two measurements by turns, the other one first each time; their results by round. */
export async function interleaved(
  rounds: number,
  a: (round: number) => Promise<number>,
  b: (round: number) => Promise<number>,
): Promise<{ a: number; b: number }[]> {
  const pairs: { a: number; b: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const pair = { a: Number.NaN, b: Number.NaN };
    if (round % 2 === 0) pair.a = await a(round);
    pair.b = await b(round);
    if (round % 2 === 1) pair.a = await a(round);
    pairs.push(pair);
  }
  return pairs;
}
