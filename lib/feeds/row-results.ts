import { type Ingest, type IngestPorts, ingestFor } from '../inventory/ingest-listings.ts';
import { writeIssues } from '../issues/write-issues.ts';
import { identifyRecord } from '../pipeline/batch/identify-record.ts';
import type { NewIssue } from '../pipeline/batch/stored-listings.ts';
import { vinAsSent } from '../pipeline/results.ts';
import type { Reject } from '../pipeline/stage.ts';
import { hasMember } from '../truck/listing/record-names.ts';
import { flatText } from '../truck/text/text.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import { UPLOAD_FEED } from './feed.ts';
import { FEED_ROW_FAULTS } from './feed-faults.ts';
import type { ReadRow } from './feed-file.ts';
import { readProviders } from './queries/uploads.ts';

/** What became of a row; `hash`: the truck that it is about, whatever is wrong with it; null: none. `isOwn`: it is the feed's. */
export type IngestedRow = Awaited<ReturnType<typeof ingestRows>>[number];

/** Runs rows through the pipeline: a result per row, in order. Those that never became records open their issues here. */
export async function ingestRows(
  ports: IngestPorts,
  accountId: string,
  readRows: readonly ReadRow[],
  input: Omit<Ingest, 'records'>,
) {
  const { source, sourceProviderId, feedId } = input;
  const rows = feedId === UPLOAD_FEED ? await fillProviders(ports, accountId, readRows) : readRows;
  const records = rows.flatMap(({ fault, record }) => (fault === null ? [record] : []));
  const results = (await ingestFor(ports, accountId, { ...input, records })).values();
  const unread = new Map<string, NewIssue>();
  const ingested = rows.map((row) => {
    const { line, fault, record, isOwn = true } = row;
    const result = fault === null ? results.next().value : null;
    if (result?.kind === 'accepted') {
      const { outcome, warnings, dedupHash } = result;
      return { line, outcome, warnings, hash: dedupHash, isOwn, reject: null };
    }
    // A row of a sold truck that is not listed changes nothing.
    if (result?.kind === 'not_found')
      return { line, outcome: 'unchanged' as const, warnings: [], hash: null, isOwn, reject: null };
    const identity = identifyRecord(record ?? { line }, sourceProviderId);
    const hash = identity.hasWholeVin ? identity.subject : null;
    const [first, ...others] = listFaults(result, fault);
    const vin = result?.vin ?? vinAsSent(record);
    const also = others.flatMap(({ field }) => field ?? []);
    const reject = { line, vin, ...first, stock_number: identity.stockNumber, also };
    // One per truck.
    if (!result) unread.set(identity.subject, { ...reject, ...identity });
    return { hash, isOwn, reject, retryable: result?.reject.retryable ?? false };
  });
  if (unread.size > 0 && source?.keepsIssues)
    await writeIssues(ports.db, accountId, { open: [...unread.values()], close: [] }, source);
  return ingested;
}

/** The trucks that the feed has by these rows, each once. */
export const listMembers = (rows: readonly IngestedRow[]) => listHashes(rows.filter(({ isOwn }) => isOwn));

/** The trucks that rows are about, each once. */
export const listHashes = (rows: readonly IngestedRow[]) => [
  ...new Set(rows.flatMap(({ hash }) => hash ?? [])),
];

/** Rows by what became of them, and the rejects; `before`: those of earlier rows by code. */
export function countRows(rows: readonly IngestedRow[], before: Record<string, number> = {}) {
  const counts = { rows: rows.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  const rejects = rows.flatMap(({ reject }) => reject ?? []);
  const codes = { ...before };
  for (const row of rows) counts[row.reject === null ? row.outcome : 'rejected'] += 1;
  for (const { code } of rejects) codes[code] = (codes[code] ?? 0) + 1;
  return { counts, codes, rejects };
}

/**
 * People upload trucks, whatever system listed them: a row without a provider is about the listing that its VIN has. Such a truck
 * stays that system's: it is not the upload's `own`, which a later upload of the whole lot would delist.
 */
async function fillProviders({ db }: IngestPorts, accountId: string, rows: readonly ReadRow[]) {
  const trucks = rows.map(({ record }) => ({
    vin: normaliseVin(flatText(record?.vin)),
    dealer: flatText(record?.dealer),
  }));
  const providers = await readProviders(db, accountId, trucks);
  return rows.map((row, at): ReadRow => {
    const provider = providers[at];
    if (!provider || row.record === null || hasMember(row.record, 'source_provider_id')) return row;
    return { ...row, isOwn: false, record: { ...row.record, source_provider_id: provider } };
  });
}

/** Everything that is wrong with a row. */
function listFaults(result: { reject: Reject } | null | undefined, fault: ReadRow['fault']) {
  if (result) {
    const { code, message: fix, violations } = result.reject;
    const [first = { code, field: null, received: null, fix }, ...more] = violations;
    return [first, ...more] as const;
  }
  if (fault === null) throw new Error('the pipeline returned no result');
  const { code, message } = fault;
  return [{ code, field: null, received: null, fix: `${message} ${FEED_ROW_FAULTS[code]}` }] as const;
}
