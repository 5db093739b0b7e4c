import { ROLE_TIMEOUTS, type Role } from './sql.ts';

/** Least time a step still gets when the steps before it used the budget up, ms. */
const FLOOR = 250;
/** A connection that is not there by then will not come, ms. */
const CONNECT = 1_500;

/**
 * The budget of one call, shared by waiting for a connection, connecting, and the statement: together they end at
 * most two floors after it.
 */
export class Deadline {
  readonly #at: number;

  constructor(role: Role = 'request') {
    this.#at = performance.now() + ROLE_TIMEOUTS[role];
  }

  /** Milliseconds left, never less than the floor. */
  left(): number {
    return Math.max(this.#at - performance.now(), FLOOR);
  }

  /** Milliseconds for connecting. */
  connect(): number {
    return Math.min(this.left(), CONNECT);
  }
}

export const CONNECT_TIMEOUT = CONNECT;
