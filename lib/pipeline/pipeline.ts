import type { ListingStatus } from '../contract/fields.ts';
import type { Enriched } from '../domain/listing/listing-change.ts';
import type { Quality } from '../domain/listing/truck.ts';
import type { Warning } from '../domain/listing/warn.ts';
import { ERRORS, type StageName } from '../errors.ts';
import { LockTimeout } from '../ports/faults.ts';
import type { AccountListings } from '../ports/listings.ts';
import type { Geocoder } from '../ports/outbound.ts';
import type { VinDecoder } from '../ports/vin-decoder.ts';
import type { OnFault } from './attempt.ts';
import { computeDedupHash, deduplicate } from './deduplicate.ts';
import { enrich, type ImageFindings } from './enrich.ts';
import { findNewImages, type IndexNeeds, indexListings } from './index-listing.ts';
import { validateWithVins } from './quarantine.ts';
import type { Outcome, RawRecord, Reject, Skipped, Truck } from './stage.ts';
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

/** What became of one record. */
export type RecordResult =
  | {
      kind: 'accepted';
      outcome: 'created' | 'merged' | 'unchanged';
      vin: string;
      dedupHash: string;
      status: ListingStatus;
      quality: Quality;
      warnings: Warning[];
      /** Images that are to be fetched. */
      newImages: number;
      /** The last stage that had work to do. */
      reached: StageName;
    }
  | { kind: 'rejected'; vin: string | null; reject: Reject }
  /** Sold or delisted through the API, and never listed. */
  | { kind: 'not_found'; vin: string; status: ListingStatus };

/** Another writer was faster: run the batch again, with its rows locked. */
export class WriteConflict extends Error {
  override name = 'WriteConflict';
}

/** `conflict`: another writer changed the listing first. `duplicate`: has the result of the first record of its hash. */
type TruckOutcome = RecordResult | 'conflict' | 'duplicate';

/** Something inside the pipeline, with its place in the batch. */
interface Indexed<Item> {
  index: number;
  item: Item;
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

/** Optimistic first; then conflicts are decided again under row locks. */
async function decide(trucks: readonly Truck[], needs: PipelineNeeds): Promise<RecordResult[]> {
  if (trucks.length === 0) return [];
  const hashes = hashTrucks(trucks);
  if (needs.listings.transactional && !needs.dryRun)
    return expandResults(trucks, hashes, await decideLocked(trucks, hashes, needs));
  const outcomes = await attempt(trucks, needs);
  const conflicting = new Set(hashes.filter((_, index) => outcomes[index] === 'conflict'));
  if (conflicting.size > 0) {
    const again = withIndex(trucks).filter(({ index }) => conflicting.has(hashes[index] ?? ''));
    const second = await decideLocked(
      again.map(({ item }) => item),
      again.map(({ index }) => hashes[index] ?? ''),
      needs,
    );
    again.forEach(({ index }, position) => {
      const outcome = second[position];
      if (outcome) outcomes[index] = outcome;
    });
  }
  return expandResults(trucks, hashes, outcomes);
}

const LOCK_DEADLINE_MS = 15_000;
/** Shares of the deadline: the first wait for all rows together, and each wait after it. */
const [FIRST_WAIT, LATER_WAIT] = [1 / 3, 1 / 60];

/**
 * Once under row locks. When another writer keeps one of them for too long, the batch is split until only the listings
 * that are really locked are refused, or the deadline is over.
 */
async function decideLocked(
  trucks: readonly Truck[],
  hashes: readonly string[],
  needs: PipelineNeeds,
  deadline?: number,
): Promise<TruckOutcome[]> {
  const { listings, lockDeadlineMs = LOCK_DEADLINE_MS } = needs;
  const wait = deadline === undefined ? FIRST_WAIT : LATER_WAIT;
  // Where all share one session nobody else holds locks: what takes time is other callers' turns.
  const isShared = listings.maxLocked !== undefined;
  const ends = deadline ?? (isShared ? Number.POSITIVE_INFINITY : performance.now() + lockDeadlineMs);
  const collisions = () => trucks.map(({ vin }) => rejected(vin, collision()));
  if (performance.now() > ends) return collisions();
  if (new Set(hashes).size > (listings.maxLocked ?? Number.POSITIVE_INFINITY))
    return decideParts(trucks, hashes, needs, upperHalf(hashes), ends);
  try {
    const work = (locked: AccountListings) => attempt(trucks, { ...needs, listings: locked });
    return await listings.lockListings(hashes, work, Math.ceil(lockDeadlineMs * wait));
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
  }
  const first = splitLocked(hashes, await listings.findUnlocked(hashes));
  return first === null ? collisions() : decideParts(trucks, hashes, needs, first, ends);
}

/** Decides the trucks of these hashes, then the others. */
async function decideParts(
  trucks: readonly Truck[],
  hashes: readonly string[],
  needs: PipelineNeeds,
  first: ReadonlySet<string>,
  ends: number,
): Promise<TruckOutcome[]> {
  const outcomes: TruckOutcome[] = [];
  for (const isFirst of [true, false]) {
    const part = withIndex(trucks).filter(({ index }) => first.has(hashes[index] ?? '') === isFirst);
    const decided = await decideLocked(
      part.map(({ item }) => item),
      part.map(({ index }) => hashes[index] ?? ''),
      needs,
      ends,
    );
    part.forEach(({ index }, position) => {
      outcomes[index] = decided[position] ?? 'conflict';
    });
  }
  return outcomes;
}

/** The part to decide first: what nobody has locked, else a half. Null when nothing is left to split off. */
function splitLocked(hashes: readonly string[], unlocked: ReadonlySet<string>): ReadonlySet<string> | null {
  const all = new Set(hashes);
  if (all.size === 1 || unlocked.size === 0) return null;
  // A row that another transaction is inserting is not visible as locked.
  return unlocked.size < all.size ? unlocked : upperHalf(hashes);
}

function upperHalf(hashes: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(hashes)].sort();
  return new Set(all.slice(Math.ceil(all.length / 2)));
}

/** deduplicate → enrich → index, once. */
async function attempt(trucks: readonly Truck[], needs: PipelineNeeds): Promise<TruckOutcome[]> {
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
      outcomes[index] = toSkipped(trucks[index]?.vin ?? '', outcome, 'deduplicate');
    },
  );
  const enriched = await runStage(
    candidates,
    (batch) => enrich(batch, needs),
    (index, outcome) => {
      outcomes[index] = toSkipped(trucks[index]?.vin ?? '', outcome, 'enrich');
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
      outcomes[index] = toSkipped(vins.get(index) ?? '', outcome, 'index');
    },
  );
  for (const { index, item } of written)
    outcomes[index] = item.kind === 'conflict' ? 'conflict' : stored(item.enriched);
  return outcomes;
}

/** The result of a truck that a stage rejected or skipped; `reached` is that stage. */
function toSkipped(vin: string, outcome: Exit<Skipped>, reached: StageName): TruckOutcome {
  if (outcome.kind === 'rejected') return rejected(vin, outcome.reject);
  if (outcome.skipped.kind === 'duplicate') return 'duplicate';
  if (outcome.skipped.kind === 'not_found') return { kind: 'not_found', vin, status: outcome.skipped.status };
  return {
    kind: 'accepted',
    outcome: 'unchanged',
    vin,
    newImages: 0,
    reached,
    ...toAccepted(outcome.skipped),
  };
}

type Exit<Done> = Exclude<Outcome<never, Done>, { kind: 'continue' }>;

/** Runs a stage over the items that are left; `onExit` gets those that do not continue. */
async function runStage<In, Out, Done>(
  items: readonly Indexed<In>[],
  stage: (batch: In[]) => Outcome<Out, Done>[] | Promise<Outcome<Out, Done>[]>,
  onExit: (index: number, outcome: Exit<Done>) => void,
): Promise<Indexed<Out>[]> {
  const outcomes = items.length === 0 ? [] : await stage(items.map(({ item }) => item));
  if (outcomes.length !== items.length) throw new Error('a stage changed the length of its batch');
  return outcomes.flatMap((outcome, position) => {
    const index = items[position]?.index ?? -1;
    if (outcome.kind === 'continue') return [{ index, item: outcome.item }];
    onExit(index, outcome);
    return [];
  });
}

function withIndex<Item>(items: readonly Item[]): Indexed<Item>[] {
  return items.map((item, index) => ({ index, item }));
}

function stored(enriched: Enriched): RecordResult {
  const { stored: before, truck, dedupHash, status, doc, warnings } = enriched;
  const outcome = before ? 'merged' : 'created';
  const { vin } = truck;
  return {
    kind: 'accepted',
    outcome,
    vin,
    dedupHash,
    status,
    quality: doc.quality,
    warnings,
    newImages: findNewImages(enriched).length,
    reached: 'index',
  };
}

function toAccepted({ listing, warnings }: Extract<Skipped, { kind: 'unchanged' }>) {
  return { dedupHash: listing.dedupHash, status: listing.status, quality: listing.quality, warnings };
}

/** A duplicate in the batch has the result of the first record of its listing; only one can be the creation. */
function expandResults(
  trucks: readonly Truck[],
  hashes: readonly string[],
  outcomes: readonly TruckOutcome[],
): RecordResult[] {
  const firsts = new Map<string, RecordResult>();
  return outcomes.map((outcome, index) => {
    if (outcome === 'conflict') throw new Error('a locked listing was changed by another writer');
    const hash = hashes[index] ?? '';
    if (outcome !== 'duplicate') {
      firsts.set(hash, outcome);
      return outcome;
    }
    const first = firsts.get(hash);
    if (!first) throw new Error('a duplicate in the batch has no first record');
    if (first.kind !== 'accepted') return first;
    const merged = first.outcome === 'created' ? 'merged' : first.outcome;
    return { ...first, outcome: merged, warnings: trucks[index]?.warnings ?? [] };
  });
}

function rejected(vin: string | null, reject: Reject): RecordResult {
  return { kind: 'rejected', vin, reject };
}

function collision(): Reject {
  const { when, fix, retryable } = ERRORS.DUPLICATE_DEDUP_HASH;
  const issue = { code: 'DUPLICATE_DEDUP_HASH', field: 'vin', received: null, fix } as const;
  return { stage: 'deduplicate', code: 'DUPLICATE_DEDUP_HASH', message: when, issues: [issue], retryable };
}
