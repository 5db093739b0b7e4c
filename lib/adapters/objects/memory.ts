import type { Objects } from '../../ports.ts';
import { checkedKey } from './key.ts';

/** Gone when the process ends. */
export function memoryObjects(): Objects {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(key, bytes) {
      objects.set(checkedKey(key), Uint8Array.from(bytes));
    },
    get: async (key) => objects.get(checkedKey(key)) ?? null,
    ping: async () => 0,
  };
}
