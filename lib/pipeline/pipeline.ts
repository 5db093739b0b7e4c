import type { Enriched } from '../domain/listing/listing-change.ts';
import { WriteConflict } from '../ports/faults.ts';
import type { AccountListings } from '../ports/listings.ts';
import type { Geocoder } from '../ports/outbound.ts';
import type { VinDecoder } from '../ports/vin-decoder.ts';
import type { OnFault } from './attempt.ts';
import { computeDedupHash, deduplicate } from './deduplicate.ts';
import { enrich, type ImageFindings } from './enrich.ts';
import { type IndexNeeds, indexListings } from './index-listing.ts';
import { decideLocked, type Locking } from './locked-batch.ts';
import { validateWithVins } from './quarantine.ts';
import {
  expandResults,
  type RecordResult,
  rejected,
  type TruckOutcome,
  toStored,
  toTruckOutcome,
} from './results.ts';
import { type Indexed, type RawRecord, runStage, type Truck, withIndex } from './stage.ts';
import { vinAsSent } from './vin-as-sent.ts';

export interface PipelineNeeds {
  listings: AccountListings;
  geocoder: Geocoder;
  vinDecoder: VinDecoder;
  currentYear: number;
  dualUseMakes: readonly string[];
  /** Provider of records that name none. */
  sourceProviderId?: unknown;
  /** When the records were observed, ms since the epoch; null: now (a write through the API). */
  observedAt: number | null;
  /** The only dealer that the records may be of; null or absent: any. */
  dealer?: string | null;
  /** The feed that the records come from; absent: the API. */
  feedId?: string | undefined;
  dryRun: boolean;
  /** Of one decision under row locks, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
  /** What fetching images beforehand found, by URL. */
  images?: ImageFindings;
  /** Told of what was thrown where a record is rejected with ENRICH_FAILED. */
  onFault?: OnFault;
}

/** Records that passed validation, each at its place, and the results of those that did not. */
interface ValidBatch {
  size: number;
  rejects: RecordResult[];
  trucks: Indexed<Truck>[];
}

/** A batch of which everything is decided but nothing is written. */
export interface DecidedBatch {
  valid: ValidBatch;
  /** Of its trucks, in order. */
  dedupHashes: readonly string[];
  decided: Decided;
}

/**
 * validate → deduplicate → enrich → index over one batch: a result per record, in order. Two statements when
 * no other writer interferes; conflicts are decided again under row locks.
 */
export async function runPipeline(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<RecordResult[]> {
  const valid = await validateBatch(records, needs);
  return joinResults(valid, await decide(listTrucks(valid), needs));
}

/** The pipeline up to its write, which `writeBatch` does: for a writer that is still busy with the batch before. */
export async function decideBatch(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<DecidedBatch> {
  const valid = await validateBatch(records, needs);
  const trucks = listTrucks(valid);
  return { valid, dedupHashes: hashTrucks(trucks), decided: await decideOnce(trucks, needs) };
}

/** Writes what `decideBatch` decided. Throws `WriteConflict` when another writer changed one of its listings meanwhile. */
export async function writeBatch(batch: DecidedBatch, needs: IndexNeeds): Promise<RecordResult[]> {
  const { valid, dedupHashes, decided } = batch;
  const outcomes = await writeOnce(decided, needs);
  if (outcomes.includes('conflict')) throw new WriteConflict('a listing was changed meanwhile');
  return joinResults(valid, expandResults(listTrucks(valid), dedupHashes, outcomes));
}

async function validateBatch(records: readonly RawRecord[], needs: PipelineNeeds): Promise<ValidBatch> {
  const rejects: RecordResult[] = [];
  const trucks = await runStage(
    withIndex(records),
    (batch) => validateWithVins(batch, needs),
    (index, outcome) => {
      if (outcome.kind === 'rejected') rejects[index] = rejected(vinAsSent(records[index]), outcome.reject);
    },
  );
  return { size: records.length, rejects, trucks };
}

const listTrucks = ({ trucks }: ValidBatch): Truck[] => trucks.map(({ item }) => item);

const hashTrucks = (trucks: readonly Truck[]): string[] =>
  trucks.map(({ vin, sourceProviderId }) => computeDedupHash(vin, sourceProviderId));

/** One result per record, in order: of the rejected records, and of the trucks. */
function joinResults(
  { size, rejects, trucks }: ValidBatch,
  ofTrucks: readonly RecordResult[],
): RecordResult[] {
  const results = [...rejects];
  trucks.forEach(({ index }, position) => {
    const result = ofTrucks[position];
    if (result) results[index] = result;
  });
  if (Object.keys(results).length !== size) throw new Error('a record left without a result');
  return results;
}

/** Optimistic first; then conflicts are decided again under row locks, unless the caller does so. */
async function decide(trucks: readonly Truck[], needs: PipelineNeeds): Promise<RecordResult[]> {
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

function lockingFor(needs: PipelineNeeds): Locking {
  return {
    ...needs,
    decideAndWrite: (trucks, listings) => decideAndWrite(trucks, { ...needs, listings }),
  };
}

/** deduplicate → enrich → index, once. */
async function decideAndWrite(trucks: readonly Truck[], needs: PipelineNeeds): Promise<TruckOutcome[]> {
  return writeOnce(await decideOnce(trucks, needs), needs);
}

/** What goes into the index, and the outcomes of the trucks that do not. */
interface Decided {
  outcomes: TruckOutcome[];
  enriched: Indexed<Enriched>[];
}

async function decideOnce(trucks: readonly Truck[], needs: PipelineNeeds): Promise<Decided> {
  const outcomes: TruckOutcome[] = [];
  const candidates = await runStage(
    withIndex(trucks),
    (batch) => deduplicate(batch, needs),
    (index, outcome) => {
      outcomes[index] = toTruckOutcome(trucks[index]?.vin ?? '', outcome, 'deduplicate');
    },
  );
  const enriched = await runStage(
    candidates,
    (batch) => enrich(batch, needs),
    (index, outcome) => {
      outcomes[index] = toTruckOutcome(trucks[index]?.vin ?? '', outcome, 'enrich');
    },
  );
  return { outcomes, enriched };
}

async function writeOnce(
  { outcomes: decided, enriched }: Decided,
  needs: IndexNeeds,
): Promise<TruckOutcome[]> {
  const outcomes = [...decided];
  const vins = new Map(enriched.map(({ index, item }) => [index, item.truck.vin]));
  const written = await runStage(
    enriched,
    (batch) => indexListings(batch, needs),
    (index, outcome) => {
      outcomes[index] = toTruckOutcome(vins.get(index) ?? '', outcome, 'index');
    },
  );
  for (const { index, item } of written)
    outcomes[index] = item.kind === 'conflict' ? 'conflict' : toStored(item.enriched);
  return outcomes;
}
