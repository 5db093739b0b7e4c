import { flatText } from '../../domain/text/text.ts';
import { readYear } from '../../domain/text/year.ts';
import { normaliseVin } from '../../domain/vin/vin.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { Ports } from '../../ports/ports.ts';
import type { FeedRow } from '../feed-file.ts';
import type { FeedPlan } from './feed-mapping.ts';
import { type FeedRecord, fillDefaults, isNote, lacksClass, recordReader } from './feed-record.ts';

/** A row of a file with the record that was made of it; null where nothing of it can be read. */
export interface ReadRow {
  row: FeedRow;
  record: FeedRecord | null;
}

/** Rows with their records, but for notes and sums between them. */
export async function readRows(
  { vinDecoder }: Pick<Ports, 'vinDecoder'>,
  rows: readonly FeedRow[],
  plan: FeedPlan,
): Promise<ReadRow[]> {
  const read = recordReader(plan);
  const records = await mapInTurns(rows, ({ fields }) => fields && read(fields));
  const lacking = records.flatMap((record) =>
    plan.classFromVin && record && lacksClass(record) ? [record] : [],
  );
  const decoded = await vinDecoder.decode(
    lacking.map(({ vin, year }) => ({ vin: normaliseVin(flatText(vin)), year: readYear(year) })),
  );
  const classes = new Map(lacking.map((record, at) => [record, decoded[at]?.truck_class ?? null]));
  return rows.flatMap((row, at) => {
    const record = records[at] ?? null;
    if (record === null) return { row, record };
    if (row.fault === null && isNote(record, plan)) return [];
    return { row, record: fillDefaults(record, plan, classes.get(record)) };
  });
}
