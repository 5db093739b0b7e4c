import { toCanonicalTruck } from '../../lib/truck/listing/canonical-truck.ts';
import { NO_FIELDS } from '../../lib/truck/listing/merge.ts';
import { readRecord } from '../../lib/truck/listing/read-record.ts';

const EMPTY = { vin: '', sourceProviderId: '', place: null, images: [], attributes: {}, dealer: null };

/** The fields of a truck, from its record alone. */
export function readFields(record: object) {
  const fields = { ...NO_FIELDS, ...readRecord(record).patch.fields };
  return toCanonicalTruck({ ...EMPTY, fields }).truck.fields;
}
