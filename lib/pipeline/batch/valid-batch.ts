import { computeDedupHash } from '../deduplicate.ts';
import { validateWithVins } from '../quarantine.ts';
import { type RecordResult, rejected } from '../results.ts';
import { type Indexed, listInOrder, type RawRecord, runStage, type Truck, withIndex } from '../stage.ts';
import type { ValidateNeeds } from '../validate.ts';
import { vinAsSent } from '../vin-as-sent.ts';
import type { DecodeVins } from '../vin-decoder/decode-vins.ts';
import { IssueLedger } from './issue-ledger.ts';
import type { RecordSource } from './stored-listings.ts';

/** Records that passed validation, each with its place, and the results of those that did not, by theirs. */
export interface ValidBatch {
  records: readonly RawRecord[];
  rejects: ReadonlyMap<number, RecordResult>;
  trucks: Indexed<Truck>[];
}

/** Validates records; each place in the batch has a truck or a reject. */
export async function validateBatch(
  records: readonly RawRecord[],
  needs: ValidateNeeds & { decodeVins: DecodeVins },
): Promise<ValidBatch> {
  const rejects = new Map<number, RecordResult>();
  const trucks = await runStage(
    withIndex(records),
    (batch) => validateWithVins(batch, needs),
    (index, outcome) => {
      if (outcome.kind === 'rejected')
        rejects.set(index, rejected(vinAsSent(records[index]), outcome.reject));
    },
  );
  return { records, rejects, trucks };
}

export const listTrucks = ({ trucks }: ValidBatch): Truck[] => trucks.map(({ item }) => item);

export const hashTrucks = (trucks: readonly Truck[]): string[] =>
  trucks.map(({ vin, sourceProviderId }) => computeDedupHash(vin, sourceProviderId));

/** One result per record, in order: of the rejected records, and of the trucks. */
export function joinResults(
  { records, rejects, trucks }: ValidBatch,
  ofTrucks: readonly RecordResult[],
): RecordResult[] {
  const results = new Map(rejects);
  trucks.forEach(({ index }, position) => {
    const result = ofTrucks[position];
    if (result) results.set(index, result);
  });
  return listInOrder(results, records.length);
}

interface LedgerSource {
  source?: RecordSource | undefined;
  dryRun: boolean;
  sourceProviderId?: unknown;
  dealer?: string | null;
}

/** Null where issues are left alone. */
export function openLedger(
  { records, trucks, rejects }: ValidBatch,
  { source, dryRun, sourceProviderId, dealer = null }: LedgerSource,
): IssueLedger | null {
  if (!source?.keepsIssues || dryRun) return null;
  const dedupHashes = hashTrucks(trucks.map(({ item }) => item));
  const ledger = new IssueLedger({
    source: source.id,
    records,
    trucks,
    dedupHashes,
    sourceProviderId,
    dealer,
  });
  for (const [index, result] of rejects)
    if (result.kind === 'rejected') ledger.setRecord(index, result.reject);
  return ledger;
}
