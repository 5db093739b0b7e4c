import { ApiError } from '../errors.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { readRecord } from '../truck/listing/read-record.ts';
import { hasMember } from '../truck/listing/record-names.ts';
import { findNearMiss } from '../truck/names/near-miss.ts';
import { received } from '../truck/text/text.ts';
import { hasVinLength, normaliseVin } from '../truck/vin/vin.ts';
import { providerMeant } from './change-status.ts';
import type { StatusChange } from './queries/status-change.ts';

const MAX_MEMBERS = 3;

/**
 * A posted record that says nothing but VIN and status (and provider): a change of status, or INVALID_STATUS where the
 * status is none. Null for any other.
 */
export function readStatusOnly(
  record: unknown,
  providerOfBatch: string | null,
): StatusChange | ApiError | null {
  if (typeof record !== 'object' || record === null || Object.keys(record).length > MAX_MEMBERS) return null;
  if (!hasMember(record, 'status')) return null;
  const { vin, received: values, patch, sourceProviderId } = readRecord(record);
  const { status, fields, ...rest } = patch;
  if (vin === null || !hasVinLength(vin)) return null;
  if (Object.keys(fields).length > 0 || Object.keys(rest).length > 0 || values.has('read_only')) return null;
  if (status === undefined) return invalidStatus(values.get('status'));
  return {
    vin,
    status,
    sourceProviderId: providerMeant(
      sourceProviderId,
      hasMember(record, 'source_provider_id'),
      providerOfBatch,
    ),
  };
}

function invalidStatus(status: unknown): ApiError {
  const allowed = LISTING_STATUSES;
  return new ApiError('INVALID_STATUS', `status must be one of: ${allowed.join(', ')}.`, {
    details: {
      field: 'status',
      reason: 'not_allowed',
      received: received(status),
      allowed,
      fix: `Send one of: ${allowed.join(', ')}; or the whole record, to list the truck.`,
    },
  });
}

/**
 * The change of status that a whole record of sold or delisted is. Without a provider it means the VIN, under whatever
 * provider that is listed. Null for any other.
 */
export function readSale(record: unknown, providerOfBatch: string | null): StatusChange | null {
  if (typeof record !== 'object' || record === null) return null;
  const { vin, patch, sourceProviderId } = readRecord(record);
  const { status = 'available' } = patch;
  if (vin === null || status === 'available') return null;
  const provider = providerMeant(sourceProviderId, hasMember(record, 'source_provider_id'), providerOfBatch);
  // A provider under a misspelt name: the caller did not mean the others.
  const isMisspelt = provider === null && findNearMiss(record, ['source_provider_id']) !== null;
  return { vin, status, sourceProviderId: isMisspelt ? '' : provider };
}

/** Records that go through the pipeline together, and the changes of status that follow them, by place in the batch. */
export interface Segment {
  records: number[];
  changes: Map<number, StatusChange>;
  refused: Map<number, ApiError>;
}

const newSegment = (): Segment => ({ records: [], changes: new Map(), refused: new Map() });

/** Splits a batch where a truck follows a change of its own status: everything else may be done together. */
export function toSegments(records: readonly unknown[], providerOfBatch: string | null): Segment[] {
  let segment = newSegment();
  const segments = [segment];
  const vins = records.map((record) => normaliseVin(vinAsSent(record) ?? ''));
  const lastPlaces = new Map(vins.map((vin, index) => [vin, index]));
  const changedVins = new Set<string>();
  records.forEach((record, index) => {
    const vin = vins[index] ?? '';
    const change = readStatusOnly(record, providerOfBatch);
    if (change instanceof ApiError) segment.refused.set(index, change);
    else if (change !== null) segment.changes.set(index, change);
    else {
      if (changedVins.has(vin)) {
        segment = newSegment();
        segments.push(segment);
        changedVins.clear();
      }
      segment.records.push(index);
    }
    const isLast = lastPlaces.get(vin) === index;
    const sale = isLast || change !== null ? null : readSale(record, providerOfBatch);
    if (change !== null || sale?.sourceProviderId === null) changedVins.add(vin);
  });
  return segments;
}
