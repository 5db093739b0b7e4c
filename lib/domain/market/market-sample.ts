/** Which trucks stand for all of a large market: a fixed random choice by VIN, half as many on each level above. */

export const MAX_LEVEL = 16;

/** A VIN is on level n or above with probability 2^-n; whoever lists it, it is on the same level. */
export function marketLevel(vin: string): number {
  // FNV-1a, its bits mixed once more: neighbouring VINs must not be on neighbouring levels.
  let hash = 0x811c9dc5;
  for (let at = 0; at < vin.length; at += 1) hash = Math.imul(hash ^ vin.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return Math.min(MAX_LEVEL, Math.clz32(hash ^ (hash >>> 16)));
}

/** A model as market data tells it apart: without regard to case, blanks, dashes, dots and slashes; '' is unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** The same of a text. */
export function modelWord(model: string | null): string {
  return [...' -._/'].reduce((word, mark) => word.replaceAll(mark, ''), model ?? '').toUpperCase();
}
