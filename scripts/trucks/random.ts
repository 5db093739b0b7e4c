/** A seeded source of chance: the same on every machine. Not for secrets. */
export interface Dice {
  /** From 0 up to, never reaching, 1. */
  next(): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
}

/** Mulberry32. */
export function dice(seed: number): Dice {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    chance: (probability) => next() < probability,
  };
}
