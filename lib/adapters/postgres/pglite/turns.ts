// Fails without it: embedded.test.ts, "requests go before ingest".
import type { Role } from '../connection/sql.ts';

const PRIORITY: Readonly<Record<Role, number>> = { request: 0, ingest: 1, job: 2 };
/** So many turns may pass by whoever waits longest. */
const MAX_PASSED_BY = 8;

interface Waiting {
  role: Role;
  start: () => void;
}

/** Turns on what only one can use at a time: requests first, then ingest, then jobs, and nobody waits for ever. */
export class Turns {
  /** In the order in which they came. */
  readonly #waiting: Waiting[] = [];
  #isTaken = false;
  #passedBy = 0;

  /** Resolves when it is the caller's turn, which lasts until `end`. */
  begin(role: Role): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    return new Promise((start) => this.#waiting.push({ role, start }));
  }

  end(): void {
    const next = this.#next();
    if (next === undefined) this.#isTaken = false;
    else next.start();
  }

  #next(): Waiting | undefined {
    const urgent = Math.min(...this.#waiting.map(({ role }) => PRIORITY[role]));
    const isOverdue = this.#passedBy >= MAX_PASSED_BY;
    const at = isOverdue ? 0 : this.#waiting.findIndex(({ role }) => PRIORITY[role] === urgent);
    this.#passedBy = at > 0 ? this.#passedBy + 1 : 0;
    return this.#waiting.splice(at, 1)[0];
  }
}
