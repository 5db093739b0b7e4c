import { readRecord } from '../../domain/listing/read-record.ts';
import { findNearMiss } from '../../domain/names/near-miss.ts';
import { hasVinLength, normaliseVin } from '../../domain/vin/vin.ts';
import { vinAsSent } from '../../pipeline/vin-as-sent.ts';
import type { StatusChange } from '../../ports/listings.ts';

const MAX_MEMBERS = 3;

/** A posted record that says nothing but VIN and status (and provider): a change of status. Null for any other. */
export function readStatusOnly(record: unknown, providerOfBatch: string | null): StatusChange | null {
  if (typeof record !== 'object' || record === null || Object.keys(record).length > MAX_MEMBERS) return null;
  const { vin, received, patch, sourceProviderId } = readRecord(record);
  const { status, fields, ...rest } = patch;
  if (vin === null || !hasVinLength(vin) || status === undefined) return null;
  if (Object.keys(fields).length > 0 || Object.keys(rest).length > 0 || received.has('read_only'))
    return null;
  return { vin, status, sourceProviderId: sourceProviderId ?? providerOfBatch };
}

/**
 * A whole record that says sold or delisted and names no provider: it means the VIN, under whatever provider that is
 * listed. Null for any other.
 */
export function readSale(record: unknown, providerOfBatch: string | null): StatusChange | null {
  if (providerOfBatch !== null || typeof record !== 'object' || record === null) return null;
  // A provider under a misspelt name: the caller did not mean the others.
  if (findNearMiss(record, ['source_provider_id']) !== null) return null;
  const { vin, patch, sourceProviderId } = readRecord(record);
  const { status = 'available' } = patch;
  if (vin === null || status === 'available' || sourceProviderId !== null) return null;
  return { vin, status, sourceProviderId };
}

/** Records that go through the pipeline together, and the changes of status that follow them, by place in the batch. */
export interface Segment {
  records: number[];
  changes: Map<number, StatusChange>;
}

/** Splits a batch where a truck follows a change of its own status: everything else may be done together. */
export function toSegments(records: readonly unknown[], providerOfBatch: string | null): Segment[] {
  let segment: Segment = { records: [], changes: new Map() };
  const segments = [segment];
  const vins = records.map((record) => normaliseVin(vinAsSent(record) ?? ''));
  const lastPlaces = new Map(vins.map((vin, index) => [vin, index]));
  const changedVins = new Set<string>();
  records.forEach((record, index) => {
    const vin = vins[index] ?? '';
    const change = readStatusOnly(record, providerOfBatch);
    if (change !== null) segment.changes.set(index, change);
    else {
      if (changedVins.has(vin)) {
        segment = { records: [], changes: new Map() };
        segments.push(segment);
        changedVins.clear();
      }
      segment.records.push(index);
    }
    const isLast = lastPlaces.get(vin) === index;
    if (!isLast && (change ?? readSale(record, providerOfBatch)) !== null) changedVins.add(vin);
  });
  return segments;
}
