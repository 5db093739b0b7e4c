import { randomFillSync } from 'node:crypto';
import type { Random } from '../system.ts';

/** The system's generator, drawn in blocks: one call costs what many small ones would. */
export function systemRandom(): Random {
  const block = Buffer.alloc(4_096);
  let used = block.length;
  return {
    bytes(size) {
      if (size > block.length) return randomFillSync(new Uint8Array(size));
      if (used + size > block.length) {
        randomFillSync(block);
        used = 0;
      }
      const drawn = new Uint8Array(block.subarray(used, used + size));
      // A drawn secret must not linger in the block.
      block.fill(0, used, used + size);
      used += size;
      return drawn;
    },
  };
}
