import type * as z from 'zod/mini';
import { LIMITS } from '../../lib/contract/fields.ts';
import { BatchAnswer } from '../../lib/contract/inventory.ts';
import type { Client } from './client.ts';
import type { RawTruck } from './dealer-file.ts';

type Result = z.output<typeof BatchAnswer>['results'][number];
export type Rejected = Extract<Result, { outcome: 'rejected' }>;
export type Accepted = Extract<Result, { dedup_hash: string }>;

export interface Pushed {
  received: number;
  created: number;
  merged: number;
  unchanged: number;
  rejected: number;
  /** Milliseconds from the first request to the last answer. */
  ms: number;
  accepted: Accepted[];
  rejects: Rejected[];
}

/** Posts the records in batches of the largest size, in order, and adds up the answers; `index` is the file's. */
export async function push(
  seller: Client,
  records: readonly RawTruck[],
  sourceProviderId: string,
  done: (records: number) => void,
): Promise<Pushed> {
  const pushed: Pushed = {
    received: 0,
    created: 0,
    merged: 0,
    unchanged: 0,
    rejected: 0,
    ms: 0,
    accepted: [],
    rejects: [],
  };
  const started = performance.now();
  for (let start = 0; start < records.length; start += LIMITS.batchSize) {
    const batch = records.slice(start, start + LIMITS.batchSize);
    const answer = await seller.call({
      method: 'POST',
      path: '/v1/inventory',
      body: { source_provider_id: sourceProviderId, records: batch },
      answer: BatchAnswer,
    });
    for (const outcome of ['received', 'created', 'merged', 'unchanged', 'rejected'] as const) {
      pushed[outcome] += answer.summary[outcome];
    }
    for (const result of answer.results) {
      const placed = { ...result, index: start + result.index };
      if (placed.outcome === 'rejected') pushed.rejects.push(placed);
      else if ('dedup_hash' in placed) pushed.accepted.push(placed);
    }
    done(start + batch.length);
  }
  pushed.ms = performance.now() - started;
  return pushed;
}

/** What would become of the first batch; nothing is stored. */
export async function rehearse(seller: Client, records: readonly RawTruck[], sourceProviderId: string) {
  const answer = await seller.call({
    method: 'POST',
    path: '/v1/inventory?dry_run=true&return=summary',
    body: { source_provider_id: sourceProviderId, records: records.slice(0, LIMITS.batchSize) },
    answer: BatchAnswer,
  });
  return answer.summary;
}
