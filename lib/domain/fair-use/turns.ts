// Fails without it: turns.test.ts.

/** So many turns may pass by whoever waits longest. */
const MAX_PASSED_BY = 8;

export interface Turn {
  /** Whose turns count together; null: the service's own work, which no share bounds. */
  account: string | null;
  /** Lower goes first. */
  rank?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

interface Waiting extends Turn {
  start: (hasPlace: boolean) => void;
}

/**
 * Places that few can use at a time. The lowest rank goes first; within a rank accounts take turns, whatever each of
 * them has waiting; nobody waits for ever.
 */
export class Turns {
  readonly #perAccount: number;
  /** In the order in which they came. */
  readonly #waiting: Waiting[] = [];
  /** Places that each account has now. */
  readonly #taken = new Map<string | null, number>();
  /** When each account last got a place; forgotten when nobody waits. */
  readonly #servedAt = new Map<string | null, number>();
  #free: number;
  #served = 0;
  #passedBy = 0;

  constructor(places: number, perAccount = places) {
    this.#perAccount = perAccount;
    this.#free = places;
  }

  /** Resolves to true when the caller has a place, which lasts until `end`, and to false when its signal came first. */
  begin(turn: Turn): Promise<boolean> {
    const { signal } = turn;
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(false);
      };
      const waiting: Waiting = {
        ...turn,
        start(hasPlace) {
          signal?.removeEventListener('abort', giveUp);
          resolve(hasPlace);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#fill();
    });
  }

  end(account: string | null): void {
    const taken = this.#take(account, -1);
    if (taken === 0) this.#taken.delete(account);
    this.#free += 1;
    this.#fill();
    if (this.#waiting.length === 0) this.#servedAt.clear();
  }

  #fill(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (next === undefined) return;
      this.#free -= 1;
      this.#take(next.account, 1);
      this.#served += 1;
      this.#servedAt.set(next.account, this.#served);
      next.start(true);
    }
  }

  #take(account: string | null, change: 1 | -1): number {
    const taken = (this.#taken.get(account) ?? 0) + change;
    this.#taken.set(account, taken);
    return taken;
  }

  #next(): Waiting | undefined {
    const able = this.#waiting.filter(
      ({ account }) => account === null || (this.#taken.get(account) ?? 0) < this.#perAccount,
    );
    const [first, ...others] = able;
    if (first === undefined) return undefined;
    const isOverdue = this.#passedBy >= MAX_PASSED_BY;
    const next = isOverdue
      ? first
      : others.reduce((best, one) => (this.#isBefore(one, best) ? one : best), first);
    this.#passedBy = next === first ? 0 : this.#passedBy + 1;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const { rank = 0, account } = one;
    const { rank: otherRank = 0, account: otherAccount } = other;
    if (rank !== otherRank) return rank < otherRank;
    return (this.#servedAt.get(account) ?? 0) < (this.#servedAt.get(otherAccount) ?? 0);
  }
}
