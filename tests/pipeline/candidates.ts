import type { DecodeVins } from '../../lib/pipeline/vin-decoder/decode-vins.ts';
import type { Candidate } from '../../lib/truck/listing/listing-change.ts';
import { NO_FIELDS } from '../../lib/truck/listing/merge.ts';
import type { MergedTruck } from '../../lib/truck/listing/truck.ts';

/** Trucks as enrich takes them. */

export type SomeTruck = Partial<Omit<MergedTruck, 'fields'>> & { fields?: object };

export function candidate({ fields, ...truck }: SomeTruck = {}): Candidate {
  return {
    dedupHash: 'h'.repeat(64),
    inputHash: 'i',
    stored: null,
    dealerPlace: null,
    status: 'available',
    observedAt: 0,
    feedId: null,
    warnings: [],
    truck: {
      vin: '1FUJGBDV3FLFZ2286',
      sourceProviderId: '',
      fields: { ...NO_FIELDS, year: 2015, make: 'Freightliner', ...fields },
      place: null,
      images: [],
      attributes: {},
      dealer: null,
      ...truck,
    },
  };
}

/** Tables that know no VIN, so that a truck shows what the record alone gives. */
export const noTables: DecodeVins = async (vins) => vins.map(() => null);
