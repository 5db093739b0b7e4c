import { MAX_LISTING_BYTES } from '../accounts/access.ts';
import { LockTimeout, RejectedByDatabase } from '../outside/faults.ts';
import { listingTerms } from '../search/words/listing-terms.ts';
import { indexedWords } from '../search/words/words.ts';
import type { Enriched, HistoryEvent, ListingChange } from '../truck/listing/listing-change.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import { entryFor, FIELD_NAMES } from '../truck/record/record.ts';
import { sameJson } from '../truck/text/canonical-json.ts';
import { received } from '../truck/text/text.ts';
import { type Attempt, attempt, type OnFault } from './attempt.ts';
import { mapInTurns } from './batch/in-turns.ts';
import type { IssueLedger } from './batch/issue-ledger.ts';
import type { RecordSource, StoredListings } from './batch/stored-listings.ts';
import {
  beyondBound,
  failed,
  type Outcome,
  proceed,
  type Reject,
  reject,
  type Skipped,
  skip,
} from './stage.ts';

export interface IndexNeeds {
  listings: StoredListings;
  /** Decide everything, store nothing. */
  dryRun: boolean;
  /** Who sent the records; absent: nobody whose issues are kept. */
  source?: RecordSource | undefined;
  onFault?: OnFault | undefined;
}

/** The same with the issues that go along. */
export interface WriteNeeds extends IndexNeeds {
  ledger: IssueLedger | null;
}

/** The outcome of a listing's write. `conflict`: another writer changed the listing first; retry. */
export type Written = { kind: 'stored' | 'conflict'; enriched: Enriched };

/**
 * Writes listing, search document and history together, one statement for the batch. Rows whose data the store
 * refuses are isolated by halving, so that they never take their neighbours along; what does not differ from
 * what is stored is not written.
 */
export async function indexListings(
  batch: readonly Enriched[],
  needs: WriteNeeds,
): Promise<Outcome<Written, Skipped>[]> {
  const { dryRun, onFault = () => undefined } = needs;
  const attempts = await mapInTurns(batch, (enriched): Attempt<ListingChange> | null =>
    sameAsStored(enriched)
      ? null
      : (tooLarge(enriched) ?? attempt(onFault, () => toChange(enriched), indexFailed)),
  );
  const changes = attempts.flatMap((made) => (made && 'value' in made ? [made.value] : []));
  const outcomes = dryRun ? new Map<string, WriteOutcome>() : await writeIsolating(changes, needs);
  return batch.map((enriched, index) => {
    const made = attempts[index];
    if (made === null && enriched.stored)
      return skip({ kind: 'unchanged', listing: enriched.stored, warnings: enriched.warnings });
    if (made && 'reject' in made) return reject(made.reject);
    const outcome = dryRun ? 'stored' : (outcomes.get(enriched.dedupHash) ?? 'conflict');
    return outcome === 'refused' ? reject(indexFailed()) : proceed({ kind: outcome, enriched });
  });
}

type WriteOutcome = Written['kind'] | 'refused';

async function writeIsolating(
  changes: readonly ListingChange[],
  needs: WriteNeeds,
): Promise<Map<string, WriteOutcome>> {
  if (changes.length === 0) return new Map();
  try {
    const stored = await writeWithIssues(changes, needs);
    return new Map(
      changes.map(({ enriched: { dedupHash } }) => [
        dedupHash,
        stored.has(dedupHash) ? 'stored' : 'conflict',
      ]),
    );
  } catch (error) {
    if (error instanceof LockTimeout && needs.listings.onConflict === 'relock')
      return withOutcome(changes, 'conflict');
    if (!(error instanceof RejectedByDatabase)) throw error;
    if (changes.length === 1) return withOutcome(changes, 'refused');
    const middle = Math.ceil(changes.length / 2);
    const left = await writeIsolating(changes.slice(0, middle), needs);
    const right = await writeIsolating(changes.slice(middle), needs);
    return new Map([...left, ...right]);
  }
}

/** Writes listings, and the issues that are not written yet, in one statement. */
export async function writeWithIssues(
  changes: readonly ListingChange[],
  { listings, source, ledger }: WriteNeeds,
): Promise<ReadonlySet<string>> {
  const issues = ledger?.plan() ?? null;
  if (changes.length === 0 && issues === null) return new Set();
  const stored = await listings.write(changes, ...(source ? [{ source, issues }] : []));
  if (issues !== null) ledger?.confirm(issues);
  return stored;
}

function withOutcome(changes: readonly ListingChange[], outcome: WriteOutcome): Map<string, WriteOutcome> {
  return new Map(changes.map(({ enriched: { dedupHash } }) => [dedupHash, outcome]));
}

const indexFailed = () => failed('INDEX_FAILED', 'record');

function sameAsStored({ stored, doc, status }: Enriched): boolean {
  return stored?.doc != null && stored.status === status && sameJson(stored.doc, doc);
}

const byteLength = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/** A listing beyond what one may hold; one that was larger before may stay so. */
function tooLarge({ doc, stored }: Enriched): { reject: Reject } | null {
  const bytes = byteLength(doc);
  if (bytes <= MAX_LISTING_BYTES || (stored?.doc && bytes <= byteLength(stored.doc))) return null;
  const { attributes, ...members } = doc;
  const [[field, value] = ['record', null]] = Object.entries({ ...attributes, ...members }).sort(
    ([, one], [, other]) => byteLength(other) - byteLength(one),
  );
  return {
    reject: beyondBound('index', 'listing_too_large', {
      message: `The listing would hold ${bytes} bytes; ${MAX_LISTING_BYTES} are the most.`,
      field,
      received: received(value),
      fix: `Shorten ${field}, which has ${byteLength(value)} bytes, or leave it out.`,
    }),
  };
}

function toChange(enriched: Enriched): ListingChange {
  return {
    enriched,
    events: toHistory(enriched),
    words: searchText(enriched.doc),
    newImages: findNewImages(enriched),
  };
}

/** Image URLs that the stored listing does not have. */
export function findNewImages({ stored, doc }: Pick<Enriched, 'stored' | 'doc'>): string[] {
  const known = new Set(stored?.doc?.images);
  return doc.images.filter((url) => !known.has(url));
}

/** What the history says of a change: a status turn by its own name, else created or changed with both prices. */
function toHistory({ stored, status, doc }: Pick<Enriched, 'stored' | 'status' | 'doc'>): HistoryEvent[] {
  const event = (kind: HistoryEvent['kind']): HistoryEvent => ({
    kind,
    oldPrice: stored?.price ?? null,
    newPrice: doc.price,
  });
  const turned = status === 'available' ? 'relisted' : status;
  if (!stored) return status === 'available' ? [event('created')] : [event('created'), event(turned)];
  return [event(stored.status === status ? 'changed' : turned)];
}

const TEXT_FIELDS = FIELD_NAMES.filter((name) => entryFor(name).search?.text);
/** Of a description; more would make the index of words the greater part of a write. */
const MAX_DESCRIPTION = 600;

/** Fields of dealers' own that describe the truck; names, places and figures are no words that buyers look for. */
const DESCRIBING = /upfit|equip|desc|note|comment|remark|feature|option|special|notas|equipo|remarque/i;

const describedIn = (attributes: ListingDoc['attributes']): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (typeof value === 'string' && DESCRIBING.test(name) ? [value] : []))
    .join(' ')
    .slice(0, MAX_DESCRIPTION);

/** The words a listing is found by, separated by blanks: of its searchable fields, VIN and place, and canonical terms. */
export function searchText(doc: ListingDoc): string {
  const words = TEXT_FIELDS.flatMap((name) => doc[name] ?? []).map((value) =>
    String(value).slice(0, MAX_DESCRIPTION).replaceAll('_', ' '),
  );
  const place = [doc.location?.city, doc.location?.state, doc.location?.zip];
  const text = [...words, doc.vin, ...place, describedIn(doc.attributes)].filter(Boolean).join(' ');
  return [...indexedWords(text), ...listingTerms(doc)].join(' ');
}
