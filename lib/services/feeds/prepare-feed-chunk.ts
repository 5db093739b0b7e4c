import type { FeedPlan } from '../../domain/feed/feed-mapping.ts';
import type { RecordResult } from '../../pipeline/pipeline.ts';
import type { RawRecord } from '../../pipeline/stage.ts';
import type { FeedChunk, FeedRow } from '../../ports/feed-files.ts';
import type { FeedRunState } from '../../ports/feeds.ts';
import type { AccountListings } from '../../ports/listings.ts';
import type { StorePorts } from '../../ports/store.ts';
import { ingestFor } from '../inventory/ingest-listings.ts';
import { planOf } from './feed-plan.ts';
import { feedRecords } from './feed-records.ts';
import type { Session } from './feed-session.ts';

/** A row with the record it became; null when nothing of it could be read. */
export interface ReadRow {
  row: FeedRow;
  record: RawRecord;
}

/** A chunk that has been read, mapped and decided; only its write is left. */
export interface PreparedChunk {
  plan: FeedPlan;
  position: FeedChunk['position'];
  read: ReadRow[];
  /** Those of the rows without a fault, in order. */
  records: RawRecord[];
  /** It wants to write, or has nothing to: before that a transaction would only wait. */
  ready: Promise<void>;
  /** Results of the records, written by way of the transaction. Rejects as the pipeline does, `Contended` too. */
  write(bound: Pick<StorePorts, 'listings'>): Promise<RecordResult[]>;
  /** To be called when the chunk is committed: chunks with trucks of this one have waited for it. */
  done(): void;
}

/**
 * Prepares chunks one after the other, each while the one before it is being written: the pipeline runs up to its write,
 * which waits for the transaction. What it read may be out of date by then; the write notices. A chunk that has trucks
 * of the one before it reads only when that is committed, since what a later row says goes over what an earlier one did.
 */
export function chunkPreparer(session: Session, state: FeedRunState, columns: readonly string[] | null) {
  let { plan } = state;
  let before: { hashes: Promise<ReadonlySet<string>>; committed: Promise<void> } | null = null;

  return async ({ rows, position }: FeedChunk): Promise<PreparedChunk> => {
    const { ports, run } = session;
    plan ??= planOf(run.feed, columns, rows);
    const mapped = await feedRecords(ports, rows, plan);
    const read = rows.map((row, index): ReadRow => ({ row, record: mapped[index] ?? null }));
    const records = read.filter(({ row }) => row.fault === null).map(({ record }) => record);

    const committed = Promise.withResolvers<void>();
    const transaction = Promise.withResolvers<AccountListings>();
    const decided = Promise.withResolvers<void>();
    const hashes = Promise.withResolvers<ReadonlySet<string>>();
    const earlier = before;
    before = { hashes: hashes.promise, committed: committed.promise };
    const own = ports.listings.of(run.accountId);
    const speculative: AccountListings = {
      ...{ transactional: true, hold: own.hold, byVin: own.byVin, byVinInMarket: own.byVinInMarket },
      setStatus: own.setStatus,
      async read(wanted) {
        hashes.resolve(new Set(wanted.map(({ dedupHash }) => dedupHash)));
        const taken = await earlier?.hashes;
        if (wanted.some(({ dedupHash }) => taken?.has(dedupHash))) await earlier?.committed;
        return own.read(wanted);
      },
      async write(changes) {
        decided.resolve();
        return (await transaction.promise).write(changes);
      },
    };
    const results = ingestFor({ ...ports, listings: { of: () => speculative } }, run.accountId, {
      ...{
        records,
        sourceProviderId: state.sourceProviderId,
        observedAt: run.observedAt,
        feedId: run.feedId,
      },
      ...{ dryRun: false, optimistic: true },
    });
    const settled = () => {
      decided.resolve();
      hashes.resolve(new Set());
    };
    results.then(settled, settled);
    return {
      ...{ plan, position, read, records, ready: decided.promise },
      async write(bound) {
        transaction.resolve(bound.listings.of(run.accountId));
        return results;
      },
      done: committed.resolve,
    };
  };
}
