import type { Objects } from '../../ports/files.ts';
import { checkedKey } from './key.ts';

const PIECE = 64 * 1024;

/** Gone when the process ends. */
export function memoryObjects(): Objects {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(key, bytes) {
      objects.set(checkedKey(key), Uint8Array.from(bytes));
    },
    get: async (key) => objects.get(checkedKey(key)) ?? null,
    async putFile(key, path) {
      const checked = checkedKey(key);
      const { readFile } = await import('node:fs/promises');
      objects.set(checked, await readFile(path));
    },
    async open(key) {
      const bytes = objects.get(checkedKey(key));
      return bytes ? pieces(bytes) : null;
    },
    async remove(key) {
      objects.delete(checkedKey(key));
    },
    ping: async () => 0,
  };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
