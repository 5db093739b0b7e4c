import { mapInTurns } from '../batch/in-turns.ts';
import { decodeVin } from './decode-vin.ts';
import type { Book } from './match.ts';
import type { VinDecoder } from './port.ts';

let opening: Promise<Book> | null = null;

/**
 * VIN decoder over the bundled extract of NHTSA's vPIC, read on first use (1 MB unpacked, kept for the life of the
 * process). Synchronous work per VIN well under a millisecond.
 *
 * @param currentYear the year it is; position 10 never stands for more than two years later
 */
export function bundledVinDecoder(currentYear: () => number): VinDecoder {
  return {
    async decode(vins) {
      if (vins.length === 0) return [];
      const book = await openOnce();
      const now = currentYear();
      return mapInTurns(vins, ({ vin, year }) =>
        decodeVin(book, vin, { recordYear: year, currentYear: now }),
      );
    },
  };
}

function openOnce(): Promise<Book> {
  opening ??= open().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** All that only loading needs is imported here, so that a cold start does not pay for it. */
async function open(): Promise<Book> {
  const [{ promisify }, { brotliDecompress }, { readDataFile }, { decodeVpic }, { openBook }] =
    await Promise.all([
      import('node:util'),
      import('node:zlib'),
      import('../../outside/data-file.ts'),
      import('./vpic-file.ts'),
      import('./match.ts'),
    ]);
  const packed = await readDataFile('vpic.bin');
  return openBook(decodeVpic(await promisify(brotliDecompress)(packed)));
}
