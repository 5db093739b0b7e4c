import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Reads a file of lib/data. From source it lies beside this folder; in a bundled function, where this module has
 * moved, the platform's includeFiles put it under the working directory.
 *
 * @throws when it is in neither place
 */
export async function readDataFile(name: string): Promise<Uint8Array> {
  // A variable keeps bundlers from taking the expression for an asset of their own.
  const folder = '../data/';
  const beside = fileURLToPath(new URL(folder + name, import.meta.url));
  return readFile(beside).catch(() => readFile(join(process.cwd(), 'lib', 'data', name)));
}
