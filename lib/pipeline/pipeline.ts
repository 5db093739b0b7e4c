import type { ListingStatus } from '../contract/fields.ts';
import type { Enriched } from '../domain/listing/listing-change.ts';
import type { Quality } from '../domain/listing/truck.ts';
import type { Warning } from '../domain/listing/warn.ts';
import { ERRORS, type StageName } from '../errors.ts';
import { HoldTimeout } from '../ports/faults.ts';
import type { AccountListings } from '../ports/listings.ts';
import type { Geocoder } from '../ports/outbound.ts';
import type { VinDecoder } from '../ports/vin-decoder.ts';
import type { OnFault } from './attempt.ts';
import { dedupHashOf, deduplicate } from './deduplicate.ts';
import { enrich, type ImageFindings } from './enrich.ts';
import { type IndexNeeds, indexListings, newImagesOf } from './index-listing.ts';
import { validateWithVins } from './quarantine.ts';
import type { Outcome, RawRecord, Reject, Settled, Truck } from './stage.ts';
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
export class Contended extends Error {
  override name = 'Contended';
}

/** `lost`: a faster writer changed the listing, decide again. `folded`: shares the fate of the first of its hash. */
type Fate = RecordResult | 'lost' | 'folded';

/** Something inside the pipeline, with its place in the batch. */
interface Placed<Item> {
  index: number;
  item: Item;
}

/** Records that passed validation, each at its place, and the results of those that did not. */
interface ValidBatch {
  size: number;
  rejects: RecordResult[];
  trucks: Placed<Truck>[];
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
 * nobody interferes; what lost a race is decided again while its row locks are held.
 */
export async function runPipeline(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<RecordResult[]> {
  const valid = await validateBatch(records, needs);
  return joinResults(valid, await decide(trucksOf(valid), needs));
}

/** The pipeline up to its write, which `writeBatch` does: for a writer that is still busy with the batch before. */
export async function decideBatch(
  records: readonly RawRecord[],
  needs: PipelineNeeds,
): Promise<DecidedBatch> {
  const valid = await validateBatch(records, needs);
  const trucks = trucksOf(valid);
  return { valid, dedupHashes: hashesOf(trucks), decided: await decideOnce(trucks, needs) };
}

/** Writes what `decideBatch` decided. Throws `Contended` when another writer changed one of its listings meanwhile. */
export async function writeBatch(batch: DecidedBatch, needs: IndexNeeds): Promise<RecordResult[]> {
  const { valid, dedupHashes, decided } = batch;
  const fates = await writeOnce(decided, needs);
  if (fates.includes('lost')) throw new Contended('a listing was changed meanwhile');
  return joinResults(valid, unfold(trucksOf(valid), dedupHashes, fates));
}

async function validateBatch(records: readonly RawRecord[], needs: PipelineNeeds): Promise<ValidBatch> {
  const rejects: RecordResult[] = [];
  const trucks = await through(
    place(records),
    (batch) => validateWithVins(batch, needs),
    (index, outcome) => {
      if (outcome.kind === 'rejected') rejects[index] = rejected(vinAsSent(records[index]), outcome.reject);
    },
  );
  return { size: records.length, rejects, trucks };
}

const trucksOf = ({ trucks }: ValidBatch): Truck[] => trucks.map(({ item }) => item);

const hashesOf = (trucks: readonly Truck[]): string[] =>
  trucks.map(({ vin, sourceProviderId }) => dedupHashOf(vin, sourceProviderId));

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

/** Optimistic first; then, for those that lost a race, once more under row locks. */
async function decide(trucks: readonly Truck[], needs: PipelineNeeds): Promise<RecordResult[]> {
  if (trucks.length === 0) return [];
  const hashes = hashesOf(trucks);
  if (needs.listings.transactional && !needs.dryRun)
    return unfold(trucks, hashes, await decideHeld(trucks, hashes, needs));
  const fates = await attempt(trucks, needs);
  const lost = new Set(hashes.filter((_, index) => fates[index] === 'lost'));
  if (lost.size > 0) {
    const again = place(trucks).filter(({ index }) => lost.has(hashes[index] ?? ''));
    const second = await decideHeld(
      again.map(({ item }) => item),
      again.map(({ index }) => hashes[index] ?? ''),
      needs,
    );
    again.forEach(({ index }, position) => {
      const fate = second[position];
      if (fate) fates[index] = fate;
    });
  }
  return unfold(trucks, hashes, fates);
}

const LOCK_DEADLINE_MS = 15_000;
/** Shares of the deadline: the first wait for all rows together, and each wait after it. */
const [FIRST_WAIT, LATER_WAIT] = [1 / 3, 1 / 60];

/**
 * Once under row locks. When another writer keeps one of them for too long, the batch is split until only the listings
 * that are really locked are refused, or the deadline is over.
 */
async function decideHeld(
  trucks: readonly Truck[],
  hashes: readonly string[],
  needs: PipelineNeeds,
  deadline?: number,
): Promise<Fate[]> {
  const { listings, lockDeadlineMs = LOCK_DEADLINE_MS } = needs;
  const wait = deadline === undefined ? FIRST_WAIT : LATER_WAIT;
  const ends = deadline ?? performance.now() + lockDeadlineMs;
  const collisions = () => trucks.map(({ vin }) => rejected(vin, collision()));
  if (performance.now() > ends) return collisions();
  try {
    const work = (held: AccountListings) => attempt(trucks, { ...needs, listings: held });
    return await listings.hold(hashes, work, Math.ceil(lockDeadlineMs * wait));
  } catch (error) {
    if (!(error instanceof HoldTimeout)) throw error;
  }
  const upper = splitLocked(hashes, await listings.findUnlocked(hashes));
  if (upper === null) return collisions();
  const fates: Fate[] = [];
  for (const part of [true, false]) {
    const half = place(trucks).filter(({ index }) => upper.has(hashes[index] ?? '') === part);
    const decided = await decideHeld(
      half.map(({ item }) => item),
      half.map(({ index }) => hashes[index] ?? ''),
      needs,
      ends,
    );
    half.forEach(({ index }, position) => {
      fates[index] = decided[position] ?? 'lost';
    });
  }
  return fates;
}

/** The part to decide first: what nobody has locked, else a half. Null when nothing is left to split off. */
function splitLocked(hashes: readonly string[], unlocked: ReadonlySet<string>): ReadonlySet<string> | null {
  const all = [...new Set(hashes)].sort();
  if (all.length === 1 || unlocked.size === 0) return null;
  // A row that another transaction is inserting is not visible as locked.
  return unlocked.size < all.length ? unlocked : new Set(all.slice(Math.ceil(all.length / 2)));
}

/** deduplicate → enrich → index, once. */
async function attempt(trucks: readonly Truck[], needs: PipelineNeeds): Promise<Fate[]> {
  return writeOnce(await decideOnce(trucks, needs), needs);
}

/** What goes into the index, and the fates of the trucks that do not. */
interface Decided {
  fates: Fate[];
  enriched: Placed<Enriched>[];
}

async function decideOnce(trucks: readonly Truck[], needs: PipelineNeeds): Promise<Decided> {
  const fates: Fate[] = [];
  const candidates = await through(
    place(trucks),
    (batch) => deduplicate(batch, needs),
    (index, outcome) => {
      fates[index] = settledFate(trucks[index]?.vin ?? '', outcome, 'deduplicate');
    },
  );
  const enriched = await through(
    candidates,
    (batch) => enrich(batch, needs),
    (index, outcome) => {
      fates[index] = settledFate(trucks[index]?.vin ?? '', outcome, 'enrich');
    },
  );
  return { fates, enriched };
}

async function writeOnce({ fates: decided, enriched }: Decided, needs: IndexNeeds): Promise<Fate[]> {
  const fates = [...decided];
  const vins = new Map(enriched.map(({ index, item }) => [index, item.truck.vin]));
  const written = await through(
    enriched,
    (batch) => indexListings(batch, needs),
    (index, outcome) => {
      fates[index] = settledFate(vins.get(index) ?? '', outcome, 'index');
    },
  );
  for (const { index, item } of written) fates[index] = item.kind === 'lost' ? 'lost' : stored(item.enriched);
  return fates;
}

/** The fate of a truck that does not go on from the stage it `reached`. */
function settledFate(vin: string, outcome: Left<Settled>, reached: StageName): Fate {
  if (outcome.kind === 'rejected') return rejected(vin, outcome.reject);
  if (outcome.done.kind === 'folded') return 'folded';
  if (outcome.done.kind === 'not_found') return { kind: 'not_found', vin, status: outcome.done.status };
  return {
    kind: 'accepted',
    outcome: 'unchanged',
    vin,
    newImages: 0,
    reached,
    ...told(outcome.done),
  };
}

type Left<Done> = Exclude<Outcome<never, Done>, { kind: 'continue' }>;

/** Runs a stage over what is still inside; `leave` hears of what does not go on. */
async function through<In, Out, Done>(
  inside: readonly Placed<In>[],
  stage: (batch: In[]) => Outcome<Out, Done>[] | Promise<Outcome<Out, Done>[]>,
  leave: (index: number, outcome: Left<Done>) => void,
): Promise<Placed<Out>[]> {
  const outcomes = inside.length === 0 ? [] : await stage(inside.map(({ item }) => item));
  if (outcomes.length !== inside.length) throw new Error('a stage changed the length of its batch');
  return outcomes.flatMap((outcome, position) => {
    const index = inside[position]?.index ?? -1;
    if (outcome.kind === 'continue') return [{ index, item: outcome.item }];
    leave(index, outcome);
    return [];
  });
}

function place<Item>(items: readonly Item[]): Placed<Item>[] {
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
    newImages: newImagesOf(enriched).length,
    reached: 'index',
  };
}

function told({ listing, warnings }: Extract<Settled, { kind: 'unchanged' }>) {
  return { dedupHash: listing.dedupHash, status: listing.status, quality: listing.quality, warnings };
}

/** A record that merged into an earlier one of its batch shares that one's fate; only one can be the creation. */
function unfold(trucks: readonly Truck[], hashes: readonly string[], fates: readonly Fate[]): RecordResult[] {
  const leads = new Map<string, RecordResult>();
  return fates.map((fate, index) => {
    if (fate === 'lost') throw new Error('a held listing was changed by another writer');
    const hash = hashes[index] ?? '';
    const result = fate === 'folded' ? leads.get(hash) : fate;
    if (!result) throw new Error('a folded record has no lead');
    if (fate !== 'folded') leads.set(hash, result);
    if (fate !== 'folded' || result.kind !== 'accepted') return result;
    const outcome = result.outcome === 'created' ? 'merged' : result.outcome;
    return { ...result, outcome, warnings: trucks[index]?.warnings ?? [] };
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
