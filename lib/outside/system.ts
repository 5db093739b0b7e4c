/** Time, chance, the log, and work after the answer. */

/** Work that may go on after the answer was sent. */
export interface Background {
  run(work: Promise<unknown>): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Random {
  /** `size` bytes fit for secrets. */
  bytes(size: number): Uint8Array;
}

/** Flags that all instances share outside of the database. Any of them may be lost at any time. */
export interface Flags {
  isSet(name: string): Promise<boolean>;
  /** Sets the flag for so many seconds from now. */
  set(name: string, seconds: number): Promise<void>;
}

export interface Log {
  write(entry: Record<string, unknown>): void;
}
