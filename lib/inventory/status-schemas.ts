import * as z from 'zod/mini';
import { LISTING_STATUSES, PATCH_STATUSES } from '../truck/fields.ts';
import { about, dryRunMark, Nullable, nameSchema } from '../truck/json.ts';
import { oneOrBatch } from '../truck/record/schemas.ts';

/** Schemas of PATCH /v1/inventory: one change of status, or up to 500. */

const Status = z.enum(LISTING_STATUSES);

export const StatusInput = nameSchema(
  'StatusInput',
  z.looseObject({
    vin: about(z.string().check(z.trim(), z.minLength(1)), 'VIN of the listing.', '3AKJHHDR0KSKA1234'),
    status: about(z.enum(PATCH_STATUSES), 'The new status.', 'sold'),
    source_provider_id: z.optional(
      about(
        z.nullable(z.union([z.string(), z.number()])),
        'Changes one provider’s listing only; null or blank is the listing without a provider. If absent, all listings of the VIN are changed.',
      ),
    ),
  }),
  'A change of status of all listings of a VIN.',
);

export const StatusBody = oneOrBatch(StatusInput, {
  name: 'BulkStatusInput',
  records: 'At most 500 changes.',
  about: 'Changes of status, applied in order.',
});

const change = {
  previous_status: Status,
  updated: about(z.int(), 'Number of changed listings; 0 when all had the status already.'),
};

export const StatusAnswer = nameSchema(
  'StatusChange',
  z.object({ vin: z.string(), status: Status, ...change, ...dryRunMark }),
  'The status was set.',
);

/** `error` of one record of a batch. */
const RecordError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({
    reason: z.string(),
    fix: z.string(),
    doc_url: z.string(),
    retryable: z.boolean(),
    field: z.optional(z.string()),
  }),
});

export const StatusResult = nameSchema(
  'StatusResult',
  z.object({
    index: z.int(),
    outcome: z.enum(['updated', 'unchanged', 'not_found', 'rejected']),
    vin: about(Nullable.text, 'Normalized; if rejected, as sent.'),
    status: z.nullable(Status),
    previous_status: z.nullable(Status),
    updated: change.updated,
    error: z.optional(about(RecordError, 'NOT_FOUND, INVALID_STATUS or INVALID_PAYLOAD.')),
  }),
  'Outcome of one change of status.',
);

export const BulkStatusAnswer = nameSchema(
  'BulkStatusResult',
  z.object({
    summary: z.object({
      received: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      not_found: z.int(),
      rejected: z.int(),
    }),
    results: z.array(StatusResult),
    ...dryRunMark,
  }),
  'One result per record, in order.',
);
