import type { VinDecoded } from '../../truck/listing/truck.ts';

export interface VinDecoder {
  /** Same length and order; null where the extract knows nothing. Loads its data on first use. Takes any text as VIN. */
  decode(vins: readonly { vin: string; year: number | null }[]): Promise<(VinDecoded | null)[]>;
}
