import * as z from 'zod/mini';
import { LIMITS, PATCH_STATUSES } from '../contract/fields.ts';
import {
  BatchAnswer,
  InventoryBody,
  InventoryQuery,
  Listing,
  SingleResult,
  StatusAnswer,
  StatusBody,
  VinParams,
} from '../contract/inventory.ts';
import { DryRunQuery } from '../contract/json.ts';
import { PARTS } from '../contract/record/parts.ts';
import { ApiError, type Details, ERRORS } from '../errors.ts';
import { endpoint } from '../http/endpoint.ts';
import { readListing } from '../services/inventory/read-listing.ts';
import { runWrite } from '../services/rehearse.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isBatch = (body: Record<string, unknown>) => Object.hasOwn(body, 'records');

// The pipeline and what it brings along is read when the first record comes, not at a cold start.
const pipeline = () => import('../services/inventory/post-inventory.ts');

export const postInventory = endpoint({
  id: 'postInventory',
  method: 'POST',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Post one truck, or a batch of up to 500',
  description:
    'Each record passes validate → deduplicate → enrich → index. Records with the same dedup hash merge: present fields win, absent fields stay, an explicit null clears. A batch is always answered with 200 and one result per record; a single record that is rejected is PIPELINE_FAILED.',
  guard: 'secret-key',
  bucket: (body) => (isObject(body) && isBatch(body) ? 'batches' : 'requests'),
  query: InventoryQuery,
  body: InventoryBody,
  bodyCode: 'VALIDATION_ERROR',
  precheck(body) {
    if (!isObject(body)) throw rootError({ reason: 'wrong_type' }, 'The body must be a JSON object.');
    if (!isBatch(body)) {
      if (!PARTS.vin.names.some((name) => Object.hasOwn(body, name)))
        throw new ApiError('INVALID_PAYLOAD', 'The record names no vin.', {
          details: { field: 'vin', reason: 'missing', fix: ERRORS.VIN_MISSING.fix },
        });
      return;
    }
    if (!Array.isArray(body.records))
      throw rootError(
        { field: 'records', reason: 'wrong_type', received: body.records },
        '`records` must be an array.',
      );
    if (body.records.length > LIMITS.batchSize)
      throw new ApiError(
        'BATCH_TOO_LARGE',
        `${body.records.length} records; at most ${LIMITS.batchSize} a request.`,
        {
          details: {
            field: 'records',
            reason: 'too_many_records',
            received: body.records.length,
            limit: LIMITS.batchSize,
          },
        },
      );
  },
  idempotent: true,
  errors: ['VALIDATION_ERROR', 'BATCH_TOO_LARGE', 'INVALID_PAYLOAD', 'INVALID_PARAMS', 'PIPELINE_FAILED'],
  answers: { 200: z.union([BatchAnswer, SingleResult]), 201: SingleResult },
  async prepare({ ctx, query, body }) {
    if (query.wait === undefined) return undefined;
    if (body.records !== undefined)
      throw new ApiError('INVALID_PARAMS', 'wait=images is for a single record; a batch never waits.', {
        details: { field: 'wait', reason: 'not_for_batches' },
      });
    if (query.dry_run) return undefined;
    const { awaitImages } = await import('../services/images/await-images.ts');
    return awaitImages(ctx, body);
  },
  async handle({ ctx, query, body, prepared }) {
    const { postBatch, postRecord } = await pipeline();
    const options = { dryRun: query.dry_run ?? false, view: query.return };
    if (body.records !== undefined) {
      const batch = await postBatch(ctx, body.records, body.source_provider_id, options);
      return { status: 200, body: batch.body, keep: batch.final };
    }
    const { created, body: result } = await postRecord(ctx, body, options, prepared);
    return { status: created && !options.dryRun ? 201 : 200, body: result };
  },
});

function rootError(details: Partial<Details>, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { details });
}

export const patchInventory = endpoint({
  id: 'patchInventory',
  method: 'PATCH',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Mark a truck sold or delisted',
  description:
    'Sets the status of every listing of the VIN in the account; source_provider_id narrows it to one.',
  guard: 'secret-key',
  bucket: 'requests',
  query: DryRunQuery,
  body: StatusBody,
  bodyCode: 'INVALID_PAYLOAD',
  precheck(body) {
    if (!isObject(body)) return;
    if (typeof body.vin !== 'string' || body.vin.trim() === '') return;
    if (!PATCH_STATUSES.some((status) => status === body.status))
      throw new ApiError('INVALID_STATUS', '`status` must be "sold" or "delisted".', {
        details: {
          field: 'status',
          reason: body.status === undefined ? 'missing' : 'not_allowed',
          received: body.status,
          allowed: PATCH_STATUSES,
        },
      });
  },
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'INVALID_STATUS', 'NOT_FOUND'],
  answers: { 200: StatusAnswer },
  async handle({ ctx, query, body: { vin, status, source_provider_id: provider } }) {
    const { changeStatus } = await import('../services/inventory/change-status.ts');
    const change = { vin, status, sourceProviderId: provider ?? null };
    return { status: 200, body: await runWrite(ctx, query.dry_run, (own) => changeStatus(own, change)) };
  },
});

export const getInventory = endpoint({
  id: 'getInventory',
  method: 'GET',
  path: '/v1/inventory/{vin}',
  tag: 'Inventory',
  summary: 'Read one truck by VIN',
  description:
    'The stored and enriched record. Send `If-None-Match` with its ETag to get 304 while nothing changed.',
  guard: 'secret-key',
  bucket: 'requests',
  params: VinParams,
  paramsCode: 'INVALID_VIN',
  errors: ['INVALID_VIN', 'NOT_FOUND'],
  answers: { 200: Listing, 304: null },
  async handle({ ctx, params }) {
    const { json, etag } = await readListing(ctx, params.vin);
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
    return ctx.fresh(etag) ? { status: 304, body: '', headers } : { status: 200, body: json, headers };
  },
});
