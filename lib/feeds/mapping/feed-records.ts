import { flatText } from '../../domain/text/text.ts';
import { readYear } from '../../domain/text/year.ts';
import { normaliseVin } from '../../domain/vin/vin.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { Ports } from '../../ports/ports.ts';
import type { FeedRow } from '../feed-file.ts';
import type { FeedPlan } from './feed-mapping.ts';
import { type FeedRecord, isNote, lacksClass, recordReader, withClass, withDefaults } from './feed-record.ts';

/** A row of a file with the record that was made of it; null where nothing of it can be read. */
export interface ReadRow {
  row: FeedRow;
  record: FeedRecord | null;
}

/** Rows with their records, but for notes and sums between them. */
export async function readRows(
  ports: Pick<Ports, 'vinDecoder'>,
  rows: readonly FeedRow[],
  plan: FeedPlan,
): Promise<ReadRow[]> {
  const read = recordReader(plan);
  const records = await mapInTurns(rows, ({ fields }) => fields && read(fields));
  if (plan.classFromVin) await fillClasses(ports, records);
  const paired = await mapInTurns(rows, (row, index): ReadRow => {
    const record = records[index] ?? null;
    return { row, record: record && withDefaults(record, plan) };
  });
  return paired.filter(({ row, record }) => row.fault !== null || record === null || !isNote(record, plan));
}

/** One look-up for all that lack a class. */
async function fillClasses(
  { vinDecoder }: Pick<Ports, 'vinDecoder'>,
  records: (FeedRecord | null)[],
): Promise<void> {
  const lacking = records.flatMap((record, index) =>
    record && lacksClass(record) ? [{ record, index }] : [],
  );
  if (lacking.length === 0) return;
  const decoded = await vinDecoder.decode(
    lacking.map(({ record: { vin, year } }) => ({ vin: normaliseVin(flatText(vin)), year: readYear(year) })),
  );
  lacking.forEach(({ record, index }, place) => {
    const truckClass = decoded[place]?.truck_class ?? null;
    if (truckClass !== null) records[index] = withClass(record, truckClass, 'vin');
  });
}
