import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Reads a file of lib/data. From source it lies beside this folder; in a bundled function, where this module has
 * moved, the platform's includeFiles put it under the working directory.
 *
 * @throws when it is in neither place
 */
export async function readDataFile(name: string): Promise<Uint8Array> {
  if (!/^\w[\w.-]*$/.test(name)) throw new Error(`no name of a data file: ${name}`);
  const places = [besideSource(name), join(process.cwd(), 'lib', 'data', name)];
  for (const place of places) {
    const bytes = await readIfThere(place);
    if (bytes !== null) return bytes;
  }
  throw new Error(`data file ${name} is missing; it belongs to lib/data`);
}

function besideSource(name: string): string {
  // A variable keeps bundlers from taking the expression for an asset of their own.
  const folder = '../data/';
  return fileURLToPath(new URL(folder + name, import.meta.url));
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
