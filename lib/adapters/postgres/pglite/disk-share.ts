// Fails without it: disk-share.test.ts, and machine.test.ts, "the last of a disk".
import { DatabaseReadOnly } from '../connection/sql.ts';

/** JSON text that an account may write in a day whatever is left of the disk: some ten thousand trucks. */
const LITTLE_CHARS = 16 * 1024 ** 2;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps the last of a disk for accounts that wrote little in the last day, so that whoever fills it stops himself first. Counts
 * from the start of the process.
 */
export class DiskShare {
  readonly #isScarce: () => boolean;
  readonly #now: () => number;
  #written = new Map<string, number>();
  #countedSince: number;

  constructor(isScarce: () => boolean, now: () => number = Date.now) {
    this.#isScarce = isScarce;
    this.#now = now;
    this.#countedSince = now();
  }

  /** @throws DiskScarce if the account has to wait until there is more room. */
  take(accountId: string, chars: number): void {
    if (this.#now() - this.#countedSince >= DAY_MS) {
      this.#written = new Map();
      this.#countedSince = this.#now();
    }
    const written = (this.#written.get(accountId) ?? 0) + chars;
    if (written > LITTLE_CHARS && this.#isScarce()) throw new DiskScarce();
    this.#written.set(accountId, written);
  }
}

/** The database writes, but no longer for an account that has written much. */
class DiskScarce extends DatabaseReadOnly {
  override name = 'DiskScarce';
  override message = 'little of the disk is left, and this account has written much today';
  override readonly publicMessage =
    'Nothing more of this account can be saved at the moment: little of the disk is left, and it has written much today.';
}
