import { WriteConflict } from '../outside/faults.ts';
import type { Enriched } from '../truck/listing/listing-change.ts';
import { decideLocked, type Locking } from './batch/locked-batch.ts';
import type { ReadAnswer } from './batch/stored-listings.ts';
import { hashTrucks, joinResults, listTrucks, openLedger, validateBatch } from './batch/valid-batch.ts';
import { type DeduplicateNeeds, deduplicate } from './deduplicate.ts';
import { type EnrichNeeds, enrich } from './enrich.ts';
import { type IndexNeeds, indexListings, type WriteNeeds, writeWithIssues } from './index-listing.ts';
import { expandResults, type RecordResult, type TruckOutcome, toStored, toTruckOutcome } from './results.ts';
import { type Indexed, listInOrder, type RawRecord, runStage, type Truck, withIndex } from './stage.ts';
import type { ValidateNeeds } from './validate.ts';

/** What all stages need. */
export interface PipelineNeeds
  extends ValidateNeeds,
    Omit<DeduplicateNeeds, 'onOpenIssues'>,
    EnrichNeeds,
    Omit<IndexNeeds, 'onFault'> {
  /** Of one decision under row locks, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
}

type Running = PipelineNeeds & Pick<WriteNeeds, 'ledger'>;

/**
 * validate → deduplicate → enrich → index over one batch: a result per record, in order. Two statements when
 * no other writer interferes; conflicts are decided again under row locks.
 */
export async function runPipeline(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<RecordResult[]> {
  const valid = await validateBatch(records, needs);
  const ledger = openLedger(valid, needs);
  const running = { ...needs, ledger };
  return writeRemainingIssues(joinResults(valid, await decide(listTrucks(valid), running)), running);
}

/** Writes what the final results say of issues beyond what went along with the listings: as a rule nothing. */
async function writeRemainingIssues(results: RecordResult[], needs: WriteNeeds): Promise<RecordResult[]> {
  results.forEach((result, index) => {
    needs.ledger?.setRecord(index, result.kind === 'rejected' ? result.reject : null);
  });
  await writeWithIssues([], needs);
  return results;
}

/** Optimistic first; then conflicts are decided again under row locks, unless the caller does so. */
async function decide(trucks: readonly Truck[], needs: Running): Promise<RecordResult[]> {
  if (trucks.length === 0) return [];
  const hashes = hashTrucks(trucks);
  const { onConflict } = needs.listings;
  if (onConflict === 'lock' && !needs.dryRun)
    return expandResults(trucks, hashes, await decideLocked({ trucks, hashes }, lockingFor(needs)));
  const outcomes = await decideAndWrite(trucks, needs);
  const conflicting = new Set(hashes.filter((_, index) => outcomes[index] === 'conflict'));
  if (conflicting.size > 0) {
    if (onConflict === 'throw') throw new WriteConflict('a listing was changed meanwhile');
    const again = withIndex(trucks).filter(({ index }) => conflicting.has(hashes[index] ?? ''));
    const batch = {
      trucks: again.map(({ item }) => item),
      hashes: again.map(({ index }) => hashes[index] ?? ''),
    };
    const second = await decideLocked(batch, lockingFor(needs));
    again.forEach(({ index }, position) => {
      const outcome = second[position];
      if (outcome) outcomes[index] = outcome;
    });
  }
  return expandResults(trucks, hashes, outcomes);
}

function lockingFor(needs: Running): Locking {
  return { ...needs, decideAndWrite: (trucks, listings) => decideAndWrite(trucks, { ...needs, listings }) };
}

/** deduplicate → enrich → index, once. */
async function decideAndWrite(trucks: readonly Truck[], needs: Running): Promise<TruckOutcome[]> {
  return writeOnce(await decideOnce(trucks, needs), needs);
}

/** What goes into the index, and the outcomes of the trucks that do not, by their place. */
interface Decided {
  outcomes: ReadonlyMap<number, TruckOutcome>;
  enriched: Indexed<Enriched>[];
}

async function decideOnce(trucks: readonly Truck[], needs: Running): Promise<Decided> {
  const outcomes = new Map<number, TruckOutcome>();
  const onOpenIssues = (issues: ReadAnswer['issues']) => needs.ledger?.addOpen(issues);
  const candidates = await runStage(
    withIndex(trucks),
    (batch) => deduplicate(batch, { ...needs, onOpenIssues }),
    (index, outcome) => {
      outcomes.set(index, toTruckOutcome(trucks[index]?.vin ?? '', outcome, 'deduplicate'));
    },
  );
  const enriched = await runStage(
    candidates,
    (batch) => enrich(batch, needs),
    (index, outcome) => {
      outcomes.set(index, toTruckOutcome(trucks[index]?.vin ?? '', outcome, 'enrich'));
    },
  );
  trucks.forEach((truck, index) => {
    const outcome = outcomes.get(index);
    const isRejected = typeof outcome === 'object' && outcome.kind === 'rejected';
    needs.ledger?.setTruck(truck, isRejected ? outcome.reject : null);
  });
  return { outcomes, enriched };
}

async function writeOnce(
  { outcomes: decided, enriched }: Decided,
  needs: WriteNeeds,
): Promise<TruckOutcome[]> {
  const outcomes = new Map(decided);
  const vins = new Map(enriched.map(({ index, item }) => [index, item.truck.vin]));
  const written = await runStage(
    enriched,
    (batch) => indexListings(batch, needs),
    (index, outcome) => {
      outcomes.set(index, toTruckOutcome(vins.get(index) ?? '', outcome, 'index'));
    },
  );
  for (const { index, item } of written)
    outcomes.set(index, item.kind === 'conflict' ? 'conflict' : toStored(item.enriched));
  return listInOrder(outcomes, outcomes.size);
}
