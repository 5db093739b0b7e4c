/** Numbers that a seed decides (mulberry32). */
export interface Dice {
  /** 0 to `max` - 1. */
  below(max: number): number;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(next() * max);
  return {
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
    shuffle: (values) =>
      values
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
}
