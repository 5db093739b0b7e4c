import * as z from 'zod/mini';
import { ApiError, type Details, ERRORS } from '../../errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { refuseSlips } from '../../http/input/near-misses.ts';
import { runWrite } from '../../http/rehearse.ts';
import { LIMITS } from '../../truck/fields.ts';
import { isObject } from '../../truck/is-object.ts';
import { DryRunQuery } from '../../truck/json.ts';
import { PARTS } from '../../truck/record/parts.ts';
import { BatchAnswer, InventoryBody, InventoryQuery, SingleResult } from '../schemas.ts';
import { BulkStatusAnswer, StatusAnswer, StatusBody } from '../status-changes.ts';

const isBatch = (body: Record<string, unknown>) => Object.hasOwn(body, 'records');

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
    'Each record passes validate → deduplicate → enrich → index. Records with the same dedup hash merge: present fields win, absent fields stay, an explicit null clears. A batch is always answered with 200 and one result per record; a single record that is rejected is PIPELINE_FAILED. A record of sold or delisted, and one of vin and status alone, is a change of status as PATCH makes it, and nothing else of it is stored.',
  guard: 'secret-key',
  bucket: 'by_body',
  query: InventoryQuery,
  body: InventoryBody,
  bodyCode: 'VALIDATION_ERROR',
  precheck(body) {
    if (!isObject(body)) throw rootError({ reason: 'wrong_type' }, 'The body must be a JSON object.');
    if (!isBatch(body)) {
      if (!PARTS.vin.names.some((name) => Object.hasOwn(body, name))) throw noVin(body);
      return;
    }
    refuseMixture(body, 'VALIDATION_ERROR');
    if (!Array.isArray(body.records))
      throw rootError(
        { field: 'records', reason: 'wrong_type', received: body.records },
        '`records` must be an array.',
      );
    checkBatchSize(body.records);
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
  async prepare({ ctx, query, body }) {
    if (query.wait === undefined) return undefined;
    if (body.records !== undefined)
      throw new ApiError('INVALID_PARAMS', 'wait=images is for a single record; a batch never waits.', {
        details: { field: 'wait', reason: 'not_for_batches' },
      });
    if (query.dry_run) return undefined;
    const { awaitImages } = await import('../../images/await-images.ts');
    return awaitImages(ctx, body);
  },
  async handle({ ctx, query, body, prepared }) {
    const { postBatch, postRecord } = await pipeline();
    const options = { dryRun: query.dry_run ?? false, view: query.return };
    if (body.records !== undefined) {
      const { checkBatchMembers } = await import('../batch-members.ts');
      const warnings = checkBatchMembers(body);
      const batch = await postBatch(ctx, body.records, body.source_provider_id, options);
      const answer = warnings.length === 0 ? batch.body : { ...batch.body, warnings };
      return { status: 200, body: answer, keep: batch.final };
    }
    const { created, body: result } = await postRecord(ctx, body, options, prepared);
    return { status: created && !options.dryRun ? 201 : 200, body: result };
  },
});

/** Without a vin, `{"Records": […]}` is a batch that was meant and no record. */
function noVin(body: object): ApiError {
  refuseSlips(['records'], body, 'INVALID_PAYLOAD');
  const hasList = Object.values(body).some((value) => Array.isArray(value) && value.some(isObject));
  const { fix } = ERRORS.VIN_MISSING;
  return new ApiError('INVALID_PAYLOAD', 'The record names no vin.', {
    details: {
      field: 'vin',
      reason: 'missing',
      fix: hasList ? `${fix} Send several trucks as \`records\`.` : fix,
    },
  });
}

/** A truck beside `records`, even empty ones, would be lost without a word. */
function refuseMixture(body: Record<string, unknown>, code: 'VALIDATION_ERROR' | 'INVALID_PAYLOAD'): void {
  if (!PARTS.vin.names.some((name) => Object.hasOwn(body, name))) return;
  const fix = 'Send either one record, or only records (and source_provider_id).';
  throw new ApiError(code, 'A vin stands beside `records`.', {
    details: { field: 'records', reason: 'conflicting', fix },
  });
}

/** `{"records": […], "status": "sold"}` would else reject each of them, or lose to their own statuses. */
const statusForAll = () =>
  new ApiError('INVALID_PAYLOAD', 'A status stands beside `records`.', {
    details: { field: 'status', reason: 'unknown_field', fix: 'Send status in each record.' },
  });

function checkBatchSize({ length }: readonly unknown[]): void {
  if (length <= LIMITS.batchSize) return;
  throw new ApiError('BATCH_TOO_LARGE', `${length} records; at most ${LIMITS.batchSize} a request.`, {
    details: { field: 'records', reason: 'too_many_records', received: length, limit: LIMITS.batchSize },
  });
}

function rootError(details: Partial<Details>, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { details });
}

export const patchInventory = endpoint({
  id: 'patchInventory',
  boundToDealer: true,
  method: 'PATCH',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Mark a truck sold or delisted, or up to 500',
  description:
    'Sets the status of every listing of the VIN in the account; source_provider_id narrows it to one. With `records` it does so for up to 500, in order: always 200, with one result per record; a listing that several records name is written once, with its last status.',
  guard: 'secret-key',
  bucket: 'by_body',
  query: DryRunQuery,
  body: StatusBody,
  bodyCode: 'INVALID_PAYLOAD',
  precheck(body) {
    if (!isObject(body) || !isBatch(body)) return;
    refuseMixture(body, 'INVALID_PAYLOAD');
    if (Object.hasOwn(body, 'status')) throw statusForAll();
    if (Array.isArray(body.records)) checkBatchSize(body.records);
  },
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'INVALID_STATUS', 'BATCH_TOO_LARGE', 'NOT_FOUND'],
  answers: { 200: z.union([StatusAnswer, BulkStatusAnswer]) },
  async handle({ ctx, query, body }) {
    const { patchStatus, patchStatuses } = await import('../change-status.ts');
    const { records, source_provider_id: provider } = body;
    const answer = await runWrite<object>(ctx, query.dry_run, (own) =>
      records === undefined ? patchStatus(own, body) : patchStatuses(own, records, provider),
    );
    return { status: 200, body: answer };
  },
});
