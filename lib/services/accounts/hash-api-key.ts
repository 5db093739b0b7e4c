import { hash } from 'node:crypto';

/** SHA-256 of a key or another secret in hex: all that the store knows of it. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
