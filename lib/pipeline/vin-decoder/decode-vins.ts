import type { VinDecoded } from '../../truck/listing/truck.ts';
import { mapYielding } from '../batch/map-yielding.ts';
import { decodeVin } from './decode-vin.ts';
import type { Tables } from './tables.ts';

/** Same length and order; null where the tables know nothing. Takes any text as VIN. */
export type DecodeVins = (
  vins: readonly { vin: string; year: number | null }[],
) => Promise<(VinDecoded | null)[]>;

let opening: Promise<Tables> | null = null;

/**
 * Decodes VINs by the bundled extract of NHTSA's vPIC, read on first use (1 MB unpacked, kept for the life of the
 * process). Synchronous work per VIN well under a millisecond.
 *
 * @param currentYear the year it is; position 10 never stands for more than two years later
 */
export async function decodeVins(
  vins: Parameters<DecodeVins>[0],
  currentYear: number,
): ReturnType<DecodeVins> {
  if (vins.length === 0) return [];
  opening ??= open();
  const tables = await opening.catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return mapYielding(vins, ({ vin, year }) => decodeVin(tables, vin, { recordYear: year, currentYear }));
}

/** All that only loading needs is imported here, so that a cold start does not pay for it. */
async function open(): Promise<Tables> {
  const [{ promisify }, { brotliDecompress }, { readDataFile }, { decodeVpic }, { openTables }] =
    await Promise.all([
      import('node:util'),
      import('node:zlib'),
      import('../../outside/data-file.ts'),
      import('./vpic-file.ts'),
      import('./tables.ts'),
    ]);
  const packed = await readDataFile('vpic.bin');
  return openTables(decodeVpic(await promisify(brotliDecompress)(packed)));
}
