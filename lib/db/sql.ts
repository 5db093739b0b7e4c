import { hash } from 'node:crypto';

/**
 * How statements reach PostgreSQL, by pg or by @vercel/postgres. Rows are as the driver returns them: int8 and
 * numeric are texts, json is parsed; times are selected as text or as double precision. Failures are those of
 * errors.ts.
 */
export interface Sql {
  /** True inside `transaction`. */
  readonly transactional: boolean;
  query<Row>(statement: Statement, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * BEGIN … COMMIT on one connection; rolls back and rethrows when `work` throws. A nested call is a savepoint. All
   * statements of `work` go through `bound` and have the time of `timeout` (default `request`), whatever their own says. The
   * transaction is cut off when it idles for 15 s between two statements.
   */
  transaction<T>(work: (bound: Sql) => Promise<T>, timeout?: Timeout): Promise<T>;
  close(): Promise<void>;
}

/** A statement the code knows at build time. */
export interface Statement {
  text: string;
  /** See `prepared`. */
  name?: string;
  /** How long it may take; default `request`. */
  timeout?: Timeout;
  /** `array`: rows are arrays of values, as the builder reads them. */
  rowMode?: 'array' | undefined;
}

/**
 * A statement that a connection parses once. It switches to a generic plan after five uses: right for look-ups by key,
 * wrong for searches. The name is made of the text, so that two versions of the code never share one.
 */
export const prepared = (statement: Statement): Statement => ({
  ...statement,
  name: `ctis_${hash('sha256', statement.text).slice(0, 32)}`,
});

/**
 * Time for a statement in ms. Ingest and jobs may wait for row locks; a migration builds indexes of all the rows there
 * are.
 */
export const TIMEOUTS_MS = { request: 2_000, ingest: 30_000, job: 120_000, migration: 21_600_000 } as const;
export type Timeout = keyof typeof TIMEOUTS_MS;

/** A page in the order of a key: at most `limit` rows after the one named. */
export interface Page {
  limit: number;
  after: string | null;
}
