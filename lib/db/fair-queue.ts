/** An account; null: the caller has none yet. */
type Account = string | null;

interface Waiting {
  account: Account;
  resolve(hasPlace: boolean): void;
}

/**
 * A bounded number of places, of which one account gets a share. The waiting account with the fewest places goes
 * first, then the one that came first.
 */
export class FairQueue {
  #free: number;
  readonly #perAccount: number;
  readonly #taken = new Map<Account, number>();
  #waiting: Waiting[] = [];

  constructor(places: number, perAccount = places) {
    this.#free = places;
    this.#perAccount = perAccount;
  }

  /** True when the caller has a place at once; it lasts until `leave`. */
  tryEnter(account: Account): boolean {
    const count = this.#countTaken(account);
    if (this.#free === 0 || count >= this.#perAccount) return false;
    this.#free -= 1;
    this.#taken.set(account, count + 1);
    return true;
  }

  /** Resolves to true with a place, and to false when the signal or `refuseAll` came first. */
  enter(account: Account, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.tryEnter(account)) return Promise.resolve(!signal.aborted);
    return new Promise((resolve) => {
      const waiter = { account, resolve };
      this.#waiting.push(waiter);
      signal.addEventListener('abort', () => this.#end(waiter, false), { once: true });
    });
  }

  leave(account: Account): void {
    const count = this.#countTaken(account) - 1;
    if (count === 0) this.#taken.delete(account);
    else this.#taken.set(account, count);
    this.#free += 1;
    const [next] = this.#waiting.toSorted(
      (a, b) => this.#countTaken(a.account) - this.#countTaken(b.account),
    );
    if (next && this.tryEnter(next.account)) this.#end(next, true);
  }

  /** Returns what `work` returns once the account has a place; null if the signal came first. */
  async runWithPlace<Result>(
    account: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    if (!(await this.enter(account, signal))) return null;
    try {
      return await work();
    } finally {
      this.leave(account);
    }
  }

  refuseAll(): void {
    const waiters = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiters) resolve(false);
  }

  #end(waiter: Waiting, hasPlace: boolean): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter);
    waiter.resolve(hasPlace);
  }

  #countTaken(account: Account): number {
    return this.#taken.get(account) ?? 0;
  }
}
