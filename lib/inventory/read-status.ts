import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import { parseWith } from '../http/endpoint.ts';
import { refuseSlips } from '../http/input/near-misses.ts';
import { LISTING_STATUSES, type ListingStatus, PATCH_STATUSES } from '../truck/fields.ts';
import { isObject } from '../truck/is-object.ts';
import { readProvider } from '../truck/listing/read-record.ts';
import { collectRecord, hasMember, type Slot } from '../truck/listing/record-names.ts';
import { toReceivedValue, toText } from '../truck/text/text.ts';
import { hasVinLength, normaliseVin } from '../truck/vin/vin.ts';
import { readStatusWord } from '../truck/vocabulary/resolve.ts';
import type { StatusChange } from './queries/status-change.ts';
import { StatusInput } from './status-schemas.ts';

/** Changes of status as they are sent. */

const { status: _, ...members } = StatusInput.shape;
const NamedTruck = z.looseObject(members);

/** By PATCH, in the names and values of the contract; throws INVALID_PAYLOAD or INVALID_STATUS. */
export function readChange(record: unknown, providerOfBatch: string | null): StatusChange {
  if (isObject(record)) {
    refuseSlips(['vin', 'source_provider_id'], record, 'INVALID_PAYLOAD');
    refuseSlips(['status'], record, 'INVALID_STATUS');
  }
  const { vin, source_provider_id: provider, ...others } = parseWith(NamedTruck, record, 'INVALID_PAYLOAD');
  const status = PATCH_STATUSES.find((name) => name === others.status);
  if (status === undefined) throw invalidStatus(others.status, PATCH_STATUSES);
  const sourceProviderId = chooseProvider(provider, provider !== undefined, providerOfBatch);
  return { vin: normaliseVin(vin), status, sourceProviderId };
}

const STATUS_SLOTS: ReadonlySet<Slot> = new Set(['vin', 'status', 'source_provider_id']);

/** `isWhole`: the record says more of the truck, which is stored as well. */
export type PostedChange = StatusChange & { isWhole: boolean };

/**
 * The change of status that a posted record brings: one of sold or delisted, and one of VIN and status alone. Null for a truck
 * to list. Throws INVALID_STATUS, and INVALID_PAYLOAD where the provider is misspelt.
 */
export function readPostedChange(record: unknown, providerOfBatch: string | null): PostedChange | null {
  if (!isObject(record) || !hasMember(record, 'status')) return null;
  const { values, nulls, unknown } = collectRecord(record);
  const vin = normaliseVin(toText(values.get('vin')) ?? '');
  if (!hasVinLength(vin)) return null;
  const statusValue = values.get('status');
  const status = typeof statusValue === 'string' ? readStatusWord(statusValue) : null;
  const isAlone =
    unknown.length === 0 && [...values.keys(), ...nulls].every((slot) => STATUS_SLOTS.has(slot));
  if (!isAlone && (status === null || status === 'available')) return null;
  if (status === null) throw invalidStatus(statusValue, LISTING_STATUSES);
  refuseSlips(['source_provider_id'], record, 'INVALID_PAYLOAD');
  const isProviderSent = hasMember(record, 'source_provider_id');
  const sourceProviderId = chooseProvider(values.get('source_provider_id'), isProviderSent, providerOfBatch);
  return { vin, status, sourceProviderId, isWhole: !isAlone };
}

/** Whose listing a change means: '' the one without a provider where null or blank was sent, and null all of the VIN. */
const chooseProvider = (raw: unknown, isSent: boolean, ofBatch: string | null): string | null =>
  readProvider(raw, []) ?? ofBatch ?? (isSent ? '' : null);

/** What stands beside `records`: null where it is absent, '' where it is null or blank. */
export const readProviderOfBatch = (raw: unknown): string | null =>
  chooseProvider(raw, raw !== undefined, null);

function invalidStatus(status: unknown, allowed: readonly ListingStatus[]): ApiError {
  const reason = status === undefined ? 'missing' : 'not_allowed';
  return new ApiError('INVALID_STATUS', `\`status\` must be one of: ${allowed.join(', ')}.`, {
    details: { field: 'status', reason, received: toReceivedValue(status), allowed },
  });
}
