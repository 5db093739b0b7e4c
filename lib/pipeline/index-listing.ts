import { isDeepStrictEqual } from 'node:util';
import { LockTimeout, RejectedByDatabase } from '../outside/faults.ts';
import type { Enriched, HistoryEvent, ListingChange } from '../truck/listing/listing-change.ts';
import { toReceivedValue } from '../truck/text/text.ts';
import { attempt } from './attempt.ts';
import { mapYielding } from './batch/map-yielding.ts';
import type { PipelineNeeds } from './needs.ts';
import { toStoredResult, toUnchangedResult } from './results.ts';
import {
  type Exit,
  type RecordResult,
  type Reject,
  toBoundReject,
  toFieldReject,
  toRejected,
} from './stage.ts';

/**
 * Writes listing, search document and history together, one statement for the batch. Rows whose data the store
 * refuses are isolated by halving, so that they never take their neighbours along; what does not differ from
 * what is stored is not written.
 */
export async function indexListings(batch: readonly Enriched[], needs: PipelineNeeds): Promise<Exit[]> {
  const { dryRun, onFault } = needs;
  const entries = await mapYielding(batch, (enriched) =>
    attempt({ vin: enriched.truck.vin, code: 'INDEX_FAILED', onFault }, () => toChange(enriched, needs)),
  );
  const changes = entries.flatMap((entry) => ('events' in entry ? [entry] : []));
  const outcomes = dryRun ? null : await write(changes, needs);
  return entries.map((entry): Exit => {
    if (!('events' in entry)) return entry;
    const { dedupHash, truck } = entry.enriched;
    const outcome = outcomes === null ? 'stored' : outcomes.get(dedupHash);
    if (outcome === 'refused') return toRejected(truck.vin, toFieldReject('INDEX_FAILED', 'record'));
    return outcome === 'stored' ? toStoredResult(entry) : { kind: 'conflict' };
  });
}

/** The change to write, or the result of a truck that is not written. */
function toChange(enriched: Enriched, needs: PipelineNeeds): ListingChange | RecordResult {
  const { stored, truck, warnings } = enriched;
  if (stored && isSameAsStored(enriched)) return toUnchangedResult(truck, stored, warnings, 'index');
  const excess = explainExcess(enriched, needs.maxListingBytes);
  if (excess !== null) return toRejected(truck.vin, excess);
  const { doc } = enriched;
  const hasNewImages = doc.images.some((url) => !stored?.doc?.images.includes(url));
  return { enriched, events: toHistory(enriched), words: needs.searchText(doc), hasNewImages };
}

/** Outcomes by dedup hash, without those of conflicts. */
type WriteOutcomes = Map<string, 'stored' | 'refused'>;

async function write(changes: readonly ListingChange[], needs: PipelineNeeds): Promise<WriteOutcomes> {
  const { listings, source } = needs;
  if (changes.length === 0) return new Map();
  try {
    const storedHashes = await listings.write(changes, source?.runNo ?? null);
    return new Map([...storedHashes].map((dedupHash) => [dedupHash, 'stored']));
  } catch (error) {
    if (error instanceof LockTimeout && listings.onConflict === 'relock') return new Map();
    if (!(error instanceof RejectedByDatabase)) throw error;
    if (changes.length === 1) return new Map(changes.map(({ enriched }) => [enriched.dedupHash, 'refused']));
    const middle = Math.ceil(changes.length / 2);
    const left = await write(changes.slice(0, middle), needs);
    const right = await write(changes.slice(middle), needs);
    return new Map([...left, ...right]);
  }
}

function isSameAsStored({ stored, doc, status }: Enriched) {
  return stored?.doc != null && stored.status === status && isDeepStrictEqual(stored.doc, doc);
}

const byteLength = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Rejects a listing that exceeds its bound, unless the stored one was larger. */
function explainExcess({ doc, stored }: Enriched, maxBytes: number): Reject | null {
  const bytes = byteLength(doc);
  if (bytes <= maxBytes || (stored?.doc && bytes <= byteLength(stored.doc))) return null;
  const { attributes, ...members } = doc;
  const [[field, value] = ['record', null]] = Object.entries({ ...attributes, ...members }).sort(
    ([, one], [, other]) => byteLength(other) - byteLength(one),
  );
  return toBoundReject('index', 'listing_too_large', {
    message: `The listing would hold ${bytes} bytes; ${maxBytes} are the most.`,
    field,
    received: toReceivedValue(value),
    fix: `Shorten ${field}, which has ${byteLength(value)} bytes, or leave it out.`,
  });
}

/**
 * Makes the history's event of a change: a change of status by its own name, else created or changed with both
 * prices.
 */
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
