import { MAX_LISTING_BYTES } from '../accounts/access.ts';
import type { PipelineInput } from '../pipeline/needs.ts';
import { runPipeline } from '../pipeline/pipeline.ts';
import type { RawRecord, RecordResult } from '../pipeline/stage.ts';
import type { Ports } from '../ports.ts';
import { searchText } from '../search/words/search-text.ts';
import { storedListings } from './queries/stored-listings.ts';

export type Ingest = PipelineInput & { records: readonly RawRecord[] };

export type IngestPorts = Pick<
  Ports,
  'db' | 'isOptimistic' | 'geocoder' | 'decodeVins' | 'clock' | 'settings'
>;

/** Runs records through the pipeline for an account: one result per record, in order. */
export const ingestFor = (
  { db, isOptimistic, geocoder, decodeVins, clock, settings }: IngestPorts,
  accountId: string,
  { records, ...input }: Ingest,
): Promise<RecordResult[]> =>
  runPipeline(records, {
    ...input,
    listings: storedListings(db, accountId, isOptimistic ? 'throw' : undefined),
    geocoder,
    decodeVins,
    currentYear: new Date(clock.now()).getUTCFullYear(),
    dualUseMakes: settings.dualUseMakes,
    searchText,
    maxListingBytes: MAX_LISTING_BYTES,
  });
