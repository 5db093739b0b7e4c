import { DatabaseReadOnly, type Sql, type Statement } from '../connection/sql.ts';

/** A look-up by hash that also marks the row as used. `$1` of each is the hash; the two that mark take `values` as well. */
export interface MarkedLookUp {
  readAndMark: Statement;
  read: Statement;
  mark: Statement;
}

/** Returns the row. Where nothing can be written it is read all the same, without the mark. */
export async function readAndMark<Row extends { is_mark_due: boolean }>(
  sql: Sql,
  { readAndMark, read, mark }: MarkedLookUp,
  hash: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  if (!sql.isDistributed) {
    const rows = await orIfReadOnly(sql.query<Row>(readAndMark, [hash, ...values]), () =>
      sql.query<Row>(read, [hash]),
    );
    return rows[0];
  }
  // A statement that does both asks every worker; each of these stays on the coordinator, whichever worker is away.
  const [row] = await sql.query<Row>(read, [hash]);
  if (row?.is_mark_due) await orIfReadOnly(sql.query(mark, [hash, ...values]), async () => []);
  return row;
}

async function orIfReadOnly<T>(work: Promise<T>, instead: () => Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DatabaseReadOnly)) throw error;
    return instead();
  }
}
