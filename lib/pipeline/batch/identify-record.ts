import { hash } from 'node:crypto';
import { isObject } from '../../truck/is-object.ts';
import { readProvider, readRecord } from '../../truck/listing/read-record.ts';
import { canonicalJson } from '../../truck/text/canonical-json.ts';
import { hasVinLength } from '../../truck/vin/vin.ts';
import type { RawRecord } from '../stage.ts';

/**
 * Identifies the truck of a record by its VIN, else by its stock number, else by all that it says. `defaultProvider` is of
 * records that name none.
 */
export function identifyRecord(record: RawRecord, defaultProvider: unknown) {
  const { vin, sourceProviderId, patch } = readRecord(isObject(record) ? record : {});
  const provider = sourceProviderId ?? readProvider(defaultProvider, []) ?? '';
  const stockNumber = patch.fields.stock_number ?? null;
  const hasWholeVin = vin !== null && hasVinLength(vin);
  const identity = { hasWholeVin, stockNumber, vin: vin?.slice(0, 40) ?? null, dealer: patch.dealer ?? null };
  if (hasWholeVin) return { ...identity, subject: hash('sha256', vin + provider) };
  const content = vin ?? stockNumber ?? canonicalJson(record);
  const kind = vin !== null ? 'vin' : stockNumber !== null ? 'stock' : 'record';
  return { ...identity, subject: hash('sha256', `${kind}\n${provider}\n${content}`) };
}
