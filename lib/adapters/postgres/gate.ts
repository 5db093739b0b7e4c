import { DatabaseDown } from './sql.ts';

/**
 * A fair queue in front of something that only so many may use at once. Waiting here is bounded, and is not mistaken
 * for a database that does not answer.
 */
export class Gate {
  #free: number;
  #closed: Error | null = null;
  readonly #waiting = new Set<Waiter>();

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Takes a place; the caller owes one `leave`.
   * @throws DatabaseDown after `ms` without a free place, or the reason the gate was closed with.
   */
  enter(ms: number): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new DatabaseDown(new GateTimeout(ms)));
      }, ms);
      this.#waiting.add(waiter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }

  /** Refuses everyone who waits and everyone who comes. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const waiter of this.#waiting) waiter.refuse(reason);
    this.#waiting.clear();
  }
}

interface Waiter {
  admit(): void;
  refuse(reason: Error): void;
}

class GateTimeout extends Error {
  constructor(ms: number) {
    super(`no free connection within ${Math.round(ms)} ms (or a query that waits for its own transaction)`);
    this.name = 'GateTimeout';
  }
}
