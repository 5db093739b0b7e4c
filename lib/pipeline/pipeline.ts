import { WriteConflict } from '../outside/faults.ts';
import { listIssues } from './batch/list-issues.ts';
import { decideLocked } from './batch/locked-batch.ts';
import { mapYielding } from './batch/map-yielding.ts';
import { deduplicate } from './deduplicate.ts';
import { enrich } from './enrich.ts';
import { indexListings } from './index-listing.ts';
import type { BatchNeeds, PipelineNeeds } from './needs.ts';
import { expandResults } from './results.ts';
import { type Exit, type RawRecord, type RecordResult, runStage, type Truck, takeInOrder } from './stage.ts';
import { recordValidator } from './validate.ts';

/**
 * validate → deduplicate → enrich → index over one batch: a result per record, in order. Two statements when
 * no other writer interferes and no issue opens or ends.
 */
export async function runPipeline(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<RecordResult[]> {
  const validated = await mapYielding(records, recordValidator(needs));
  const trucks = validated.flatMap((outcome) => (outcome.kind === 'continue' ? [outcome.item] : []));
  const openIssues = new Map<string, readonly string[]>();
  const next = takeInOrder(expandResults(trucks, await decide(trucks, { ...needs, openIssues })));
  const results = validated.map((outcome) => (outcome.kind === 'continue' ? next() : outcome));
  const { source, dryRun, listings } = needs;
  if (!source?.keepsIssues || dryRun) return results;
  const issues = listIssues({ records, validated, results, openIssues }, { ...needs, source });
  if (issues.open.length + issues.close.length > 0) await listings.writeIssues(issues, source);
  return results;
}

/** Optimistic first; then conflicts are decided again under row locks, unless the caller does so. */
async function decide(trucks: readonly Truck[], needs: BatchNeeds): Promise<Exit[]> {
  const { onConflict } = needs.listings;
  if (trucks.length === 0) return [];
  const decideWithLocks = (some: readonly Truck[]) =>
    decideLocked(some, needs, (part, listings) => decideOnce(part, { ...needs, listings }));
  if (onConflict === 'lock' && !needs.dryRun) return decideWithLocks(trucks);
  const exits = await decideOnce(trucks, needs);
  const conflicts = new Set(
    trucks.flatMap(({ dedupHash }, index) => (exits[index]?.kind === 'conflict' ? [dedupHash] : [])),
  );
  if (conflicts.size === 0) return exits;
  if (onConflict === 'throw') throw new WriteConflict('another writer changed a listing');
  const isConflict = ({ dedupHash }: Truck) => conflicts.has(dedupHash);
  const next = takeInOrder(await decideWithLocks(trucks.filter(isConflict)));
  return exits.map((exit, index) => (isConflict(trucks[index] as Truck) ? next() : exit));
}

/** deduplicate → enrich → index, once. */
async function decideOnce(trucks: readonly Truck[], needs: BatchNeeds): Promise<Exit[]> {
  const candidates = await deduplicate(trucks, needs);
  const enriched = await runStage(candidates, (batch) => enrich(batch, needs));
  return runStage(enriched, (batch) => indexListings(batch, needs));
}
