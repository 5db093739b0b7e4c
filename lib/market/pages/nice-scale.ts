/** The ends of an axis and the lines across it, at round numbers; nothing that is drawn is below zero. */
export function niceScale(lowest: number, highest: number): { low: number; high: number; ticks: number[] } {
  const step = niceStep((highest - lowest) / 4 || highest / 4 || 1);
  const low = Math.max(0, Math.floor(lowest / step) * step);
  const high = Math.max(Math.ceil(highest / step) * step, low + step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  return { low, high, ticks };
}

/** 1, 2 or 5 times a power of ten, and never less than 1: what is counted is whole. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return Math.max(1, factor * power);
}
