import { findMeanings } from '../../lib/domain/feed/feed-columns.ts';
import { RejectedRows } from '../../lib/services/uploads/rejected-rows.ts';
import type { DealerRow } from './dealer-file.ts';
import type { Rejected } from './push.ts';

/** The rejected records of the dealer's file as CSV to mend and upload, whatever their writers called the columns. */
export async function rejectsCsv(rows: readonly DealerRow[], rejects: readonly Rejected[]): Promise<string> {
  const rejected = new RejectedRows();
  for (const { index, error } of rejects) {
    const sent = Object.entries(rows[index]?.record ?? {});
    const fields = Object.fromEntries(
      sent.map(([name, value]) => [findMeanings(name)[0]?.field ?? name, value]),
    );
    rejected.add({ line: index + 1, fields, fault: null }, error.details.fix);
  }
  return new TextDecoder().decode(await rejected.toCsv(null));
}
