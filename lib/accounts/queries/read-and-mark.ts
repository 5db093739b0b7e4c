import { DatabaseReadOnly } from '../../db/connection/errors.ts';
import type { Sql, Statement } from '../../db/sql.ts';

/** A look-up by hash that also marks the row as used. `$1` of each is the hash; the mark takes `values` as well. */
export interface MarkedLookUp {
  read: Statement;
  mark: Statement;
}

/** Returns the row. Where nothing can be written it is read all the same, without the mark. */
export async function readAndMark<Row extends { is_mark_due: boolean }>(
  sql: Sql,
  { read, mark }: MarkedLookUp,
  hash: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [row] = await sql.query<Row>(read, [hash]);
  if (row?.is_mark_due)
    await sql.query(mark, [hash, ...values]).catch((error: unknown) => {
      if (!(error instanceof DatabaseReadOnly)) throw error;
    });
  return row;
}
