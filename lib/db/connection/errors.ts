import { LockTimeout, RejectedByDatabase, Unavailable } from '../../outside/faults.ts';

/**
 * The database cannot be reached or does not answer in time; the caller may try again. A statement that was sent,
 * COMMIT included, may have taken effect.
 */
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

/** What SQLSTATEs mean to callers; errors with any other stay as they are. */
const FAULTS: readonly (readonly [states: RegExp, Fault: new (cause: unknown) => Error])[] = [
  // A standby; a full disk.
  [/^(25006|53100)$/, DatabaseReadOnly],
  // Lost connections, too many of them, shutdown, a statement cut off by its timeout. 08P01 is a malformed message.
  [/^(08(?!P01)|53300|57P0|57014)/, DatabaseDown],
  // A lock that another writer holds; a deadlock.
  [/^(55P03|40P01)$/, LockTimeout],
  // Values that no column takes; constraints.
  [/^2[23]/, RejectedByDatabase],
];

/** Wrong credentials or a database that does not exist: trying again does not help. */
const MISCONFIGURED = /^(28|3D)/;

/** Returns what callers see of an error that a driver threw. */
export function toFault(error: unknown): unknown {
  if (error instanceof TypeError) return error;
  if (!isServerError(error)) return new DatabaseDown(error);
  const [, Fault] = FAULTS.find(([states]) => states.test(error.code)) ?? [];
  if (Fault) return new Fault(error);
  return isRefusal(error) || MISCONFIGURED.test(error.code) ? error : new DatabaseDown(error);
}

interface ServerError {
  code: string;
  severity: string;
}

/** True for an error that the server reported: it is alive. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'code' in error && 'severity' in error && typeof error.code === 'string';

/** True when the server refused a statement and goes on: the connection may be used again. */
export const isRefusal = (error: unknown): boolean => isServerError(error) && error.severity === 'ERROR';

/** SQLSTATE of a fault, '' for anything else. */
export function sqlState(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isServerError(cause) ? cause.code : '';
}
