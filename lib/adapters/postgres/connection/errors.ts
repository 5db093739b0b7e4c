// Fails without it: outages.test.ts, and pg.test.ts, "a database that does not exist and a wrong password".
import { DatabaseDown, DatabaseReadOnly } from './sql.ts';

/** An error the server sent; pg and Neon's driver shape it alike. */
interface ServerError {
  code: string;
  severity: string;
}

/** True for what the server said itself, be it a refusal of one connection too many: it is alive. */
export function isServerError(error: unknown): error is ServerError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'severity' in error &&
    typeof error.severity === 'string'
  );
}

/** Connection exceptions, shutdown and start-up, too many connections, statement cancelled by a timeout. */
const OUTAGE = /^(08|57P0|53300|57014)/;
/** Wrong credentials or a database that does not exist: fatal, but retrying does not help. */
const MISCONFIGURED = /^(28|3D)/;
/** A standby, or a disk that is full. */
const READ_ONLY = /^(25006|53100)$/;
/** PgBouncer uses 08P01 for its own refusals (fatal); the server for a malformed message (an ordinary error). */
const PROTOCOL_VIOLATION = '08P01';

/** True when the connection may be used again after this error: the server refused a statement, nothing more. */
export const connectionSurvives = (error: unknown): boolean =>
  isServerError(error) && error.severity === 'ERROR' && !error.code.startsWith('57P0');

/**
 * Maps what a driver threw to what callers see: `DatabaseDown` (with the cause) for everything that is not the server's
 * answer to the statement; the server's error, with its SQLSTATE in `code`, as it is.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseDown) return error;
  if (isServerError(error)) {
    if (READ_ONLY.test(error.code)) return new DatabaseReadOnly(error);
    const fatal = error.severity === 'FATAL' || error.severity === 'PANIC';
    const outage = error.code === PROTOCOL_VIOLATION ? fatal : OUTAGE.test(error.code);
    return outage || (fatal && !MISCONFIGURED.test(error.code)) ? new DatabaseDown(error) : error;
  }
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error;
  return new DatabaseDown(isErrorEvent(error) ? error.error : error);
}

/** A WebSocket reports its errors as events. */
const isErrorEvent = (error: unknown): error is { error: unknown } =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'error' in error;
