import * as z from 'zod/mini';
import { ApiError, ERRORS } from '../../errors.ts';
import { runWrite } from '../../http/dry-run.ts';
import { endpoint } from '../../http/endpoint.ts';
import { refuseSlips } from '../../http/input/near-misses.ts';
import { LIMITS } from '../../truck/fields.ts';
import { isObject } from '../../truck/is-object.ts';
import { DryRunQuery } from '../../truck/json.ts';
import { PARTS } from '../../truck/record/parts.ts';
import { BatchAnswer, InventoryBody, InventoryQuery, SingleResult } from '../schemas.ts';
import { BulkStatusAnswer, StatusAnswer, StatusBody } from '../status-schemas.ts';

// The pipeline and what it brings along is read when the first record comes, not at a cold start.
const pipeline = () => import('../post-inventory.ts');

export const postInventory = endpoint({
  id: 'postInventory',
  boundToDealer: true,
  method: 'POST',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Post one truck, or a batch of up to 500',
  description:
    'Each record passes validate → deduplicate → enrich → index. Records with the same dedup hash merge: present fields win, absent fields stay, an explicit null clears. A batch is always answered with 200 and one result per record; a single record that a stage rejects is PIPELINE_FAILED. A record with status sold or delisted never creates a listing (`not_found`); a record of vin and status alone changes the status of all listings of that VIN, as PATCH does.',
  guard: 'secret-key',
  bucket: 'by_body',
  query: InventoryQuery,
  body: InventoryBody,
  bodyCode: 'VALIDATION_ERROR',
  precheck(body) {
    if (!isObject(body)) return;
    if (Object.hasOwn(body, 'records')) checkBatchSize(body.records);
    else if (!PARTS.vin.names.some((name) => Object.hasOwn(body, name))) throw noVin(body);
  },
  idempotent: true,
  errors: [
    'VALIDATION_ERROR',
    'BATCH_TOO_LARGE',
    'INVALID_PAYLOAD',
    'INVALID_PARAMS',
    'INVALID_STATUS',
    'NOT_FOUND',
    'PIPELINE_FAILED',
  ],
  answers: { 200: z.union([BatchAnswer, SingleResult, StatusAnswer]), 201: SingleResult },
  async handle({ ctx, query, body }) {
    const { postBatch, postRecord } = await pipeline();
    const options = { dryRun: query.dry_run ?? false, view: query.return };
    if (body.records !== undefined) {
      const batch = await postBatch(ctx, { ...body, records: body.records }, options);
      return { status: 200, body: batch.body, keep: batch.final };
    }
    const { created, body: result } = await postRecord(ctx, body, options);
    return { status: created && !options.dryRun ? 201 : 200, body: result };
  },
});

/** Without a vin, `{"Records": […]}` is a batch that was meant and no record. */
function noVin(body: object): ApiError {
  refuseSlips(['records'], body, 'INVALID_PAYLOAD');
  return new ApiError('INVALID_PAYLOAD', 'The record names no vin.', {
    details: {
      field: 'vin',
      reason: 'missing',
      fix: `${ERRORS.VIN_MISSING.fix} Send several trucks as \`records\`.`,
    },
  });
}

function checkBatchSize(records: unknown): void {
  if (!Array.isArray(records) || records.length <= LIMITS.batchSize) return;
  const received = records.length;
  throw new ApiError('BATCH_TOO_LARGE', `${received} records; at most ${LIMITS.batchSize} a request.`, {
    details: { field: 'records', reason: 'too_many_records', received, limit: LIMITS.batchSize },
  });
}

export const patchInventory = endpoint({
  id: 'patchInventory',
  boundToDealer: true,
  method: 'PATCH',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Mark a truck sold or delisted, or up to 500',
  description:
    'Sets the status of every listing of the VIN in the account, or of one provider’s listing with source_provider_id. `records` changes up to 500 in order and always returns 200 with one result per record; a listing named by several records is written once, with its last status.',
  guard: 'secret-key',
  bucket: 'by_body',
  query: DryRunQuery,
  body: StatusBody,
  bodyCode: 'INVALID_PAYLOAD',
  precheck(body) {
    if (isObject(body)) checkBatchSize(body.records);
  },
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'INVALID_STATUS', 'BATCH_TOO_LARGE', 'NOT_FOUND'],
  answers: { 200: z.union([StatusAnswer, BulkStatusAnswer]) },
  async handle({ ctx, query, body }) {
    const { patchStatus, patchStatuses } = await import('../change-status.ts');
    const { records } = body;
    const answer = await runWrite<object>(ctx, query.dry_run, (transaction) =>
      records === undefined
        ? patchStatus(transaction, body)
        : patchStatuses(transaction, { ...body, records }),
    );
    return { status: 200, body: answer };
  },
});
