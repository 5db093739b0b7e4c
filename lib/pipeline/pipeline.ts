import { WriteConflict } from '../outside/faults.ts';
import { type IssueLedger, openLedger } from './batch/issue-ledger.ts';
import { decideLocked } from './batch/locked-batch.ts';
import type { StoredListings } from './batch/stored-listings.ts';
import { type DeduplicateNeeds, deduplicate } from './deduplicate.ts';
import { type EnrichNeeds, enrich } from './enrich.ts';
import { type IndexNeeds, indexListings, writeWithIssues } from './index-listing.ts';
import { validateWithVins } from './quarantine.ts';
import { expandResults } from './results.ts';
import { type Exit, inOrder, type RawRecord, type RecordResult, runStage, type Truck } from './stage.ts';
import type { ValidateNeeds } from './validate.ts';

/** What all stages need. */
export interface PipelineNeeds
  extends ValidateNeeds,
    Omit<DeduplicateNeeds, 'ledger'>,
    EnrichNeeds,
    Omit<IndexNeeds, 'ledger' | 'onFault'> {
  /** Of one decision under row locks, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
}

type Running = PipelineNeeds & { ledger: IssueLedger | null };

/**
 * validate → deduplicate → enrich → index over one batch: a result per record, in order. Two statements when
 * no other writer interferes; conflicts are decided again under row locks.
 */
export async function runPipeline(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<RecordResult[]> {
  const validated = await validateWithVins(records, needs);
  const trucks = validated.flatMap((outcome) => (outcome.kind === 'continue' ? [outcome.item] : []));
  const running = { ...needs, ledger: openLedger(records, validated, needs) };
  const decided = await decide(trucks, running);
  trucks.forEach((truck, index) => {
    running.ledger?.settle(truck, decided[index]);
  });
  // What the results say of issues beyond what went along with the listings: as a rule nothing.
  await writeWithIssues([], running);
  const next = inOrder(decided);
  return validated.map((outcome) => (outcome.kind === 'continue' ? next() : outcome));
}

/** Optimistic first; then conflicts are decided again under row locks, unless the caller does so. */
async function decide(trucks: readonly Truck[], needs: Running): Promise<RecordResult[]> {
  if (trucks.length === 0) return [];
  const { onConflict } = needs.listings;
  const locked = (some: readonly Truck[]) =>
    decideLocked(some, needs, (part, listings) => decideOnce(part, { ...needs, listings }));
  if (onConflict === 'lock' && !needs.dryRun) return expandResults(trucks, await locked(trucks));
  const exits = await decideOnce(trucks, needs);
  const conflicting = new Set(
    trucks.flatMap(({ dedupHash }, index) => (exits[index]?.kind === 'conflict' ? [dedupHash] : [])),
  );
  if (conflicting.size === 0) return expandResults(trucks, exits);
  if (onConflict === 'throw') throw new WriteConflict('a listing was changed meanwhile');
  const isAgain = trucks.map(({ dedupHash }) => conflicting.has(dedupHash));
  const next = inOrder(await locked(trucks.filter((_, index) => isAgain[index])));
  return expandResults(
    trucks,
    exits.map((exit, index) => (isAgain[index] ? next() : exit)),
  );
}

/** deduplicate → enrich → index, once. */
async function decideOnce(
  trucks: readonly Truck[],
  needs: Running & { listings: StoredListings },
): Promise<Exit[]> {
  const candidates = await deduplicate(trucks, needs);
  const enriched = await runStage(candidates, (batch) => enrich(batch, needs));
  trucks.forEach((truck, index) => {
    needs.ledger?.settle(truck, enriched[index]);
  });
  return runStage(enriched, (batch) => indexListings(batch, needs));
}
