import { DatabaseDown } from './sql.ts';

/**
 * A fair queue in front of something that only so many may use at once. Waiting here is bounded, and is not mistaken
 * for a database that does not answer.
 */
export class Gate {
  #free: number;
  #closed: Error | null = null;
  /**
   * In the order they came. Not a Set: a Set that keeps changing leaves its outgrown tables chained to the new ones, and
   * with them the garbage collector drags along whatever waited there.
   */
  #waiting: Waiter[] = [];

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
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(new DatabaseDown(new GateTimeout(ms)));
        }, ms),
        admit: resolve,
        refuse: reject,
      };
      this.#waiting.push(waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free++;
      return;
    }
    clearTimeout(next.timer);
    next.admit();
  }

  /** Refuses everyone who waits and everyone who comes. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const { timer, refuse } of this.#waiting) {
      clearTimeout(timer);
      refuse(reason);
    }
    this.#waiting = [];
  }
}

interface Waiter {
  timer: NodeJS.Timeout;
  admit(): void;
  refuse(reason: Error): void;
}

class GateTimeout extends Error {
  constructor(ms: number) {
    super(`no free connection within ${Math.round(ms)} ms (or a query that waits for its own transaction)`);
    this.name = 'GateTimeout';
  }
}
