import { Unavailable } from '../../../ports/faults.ts';

/**
 * How every statement reaches Postgres, whatever the driver (pg or @vercel/postgres). Values arrive as text,
 * number, boolean, null, JSON and arrays of text alike on all of them: int8, numeric and timestamps are selected by the
 * callers as text or as double precision, so that no driver's own type parsing shows. json columns arrive parsed, but
 * as text in rows as arrays; parameters are never objects (see values.ts).
 *
 * What fails is `DatabaseDown`, or the server's error with its SQLSTATE in `code`. `DatabaseDown` from a statement that
 * was already sent, a COMMIT included, leaves open whether it took effect.
 */
export interface Sql {
  /** True inside `transaction`. */
  readonly transactional: boolean;
  /** True of a Citus coordinator: one statement locks rows of one account only. */
  readonly isDistributed: boolean;
  query<Row>(statement: Statement, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * BEGIN … COMMIT on one connection; rolls back and rethrows when `work` throws. A nested call is a savepoint.
   * Statements of `work` take turns, go through `bound` only, and have `role` (default `request`) as their default.
   * The transaction is cut off when it idles for 15 s between two statements.
   */
  transaction<T>(work: (bound: Sql) => Promise<T>, role?: Role): Promise<T>;
  close(): Promise<void>;
}

/** A statement the code knows at build time. */
export interface Statement {
  text: string;
  /**
   * Prepared under a name derived from the text where the connection allows it. A named statement switches to a
   * generic plan after five uses: right for look-ups by key, wrong for searches.
   */
  prepared?: boolean;
  /** How long it may take; default `request`. */
  role?: Role;
  /** Rows as arrays of column values instead of objects (for drizzle). */
  arrays?: boolean;
  /**
   * Of a transaction's own statement: it travels in the message of BEGIN when it is the first, or in that of COMMIT, where
   * nobody reads its rows. Its values are written into its text, because a message of several statements takes none.
   */
  sentWith?: 'begin' | 'commit';
}

/**
 * Statement budgets in ms: waiting for the pool or a row lock is not a dead database. A migration builds indexes of all the
 * rows there are.
 */
export const ROLE_TIMEOUTS = { request: 2_000, ingest: 30_000, job: 120_000, migration: 21_600_000 } as const;
export type Role = keyof typeof ROLE_TIMEOUTS;

/** The database cannot be reached or does not answer in time; the caller may try again. */
export class DatabaseDown extends Unavailable {
  override name = 'DatabaseDown';

  constructor(cause?: unknown) {
    super('the database does not answer', { cause });
  }
}

/** The database answers, but writes nothing: its disk is nearly full, or it is a standby. */
export class DatabaseReadOnly extends DatabaseDown {
  override name = 'DatabaseReadOnly';
  override message = 'the database writes nothing: its disk is nearly full, or it is a standby';
  override readonly publicMessage: string =
    'Nothing can be saved at the moment: the disk of the database is nearly full, or it is a standby.';
}

/** SQLSTATE of a database error, '' for anything else. */
export function sqlState(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? code : '';
}
