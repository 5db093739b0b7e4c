/** Bytes kept, bytes at hand, and secrets sealed. */

/** Bytes by key. Keys are lower-case paths such as `media/3f…/640.webp`; what is stored under one never changes. */
export interface Objects {
  /** Readers see all of it or nothing. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** The same with what a file holds; it is never held in memory as a whole. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** The bytes in pieces; null when there is no such object. What breaks off on the way throws `Unavailable`. */
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removing what is not there is no failure. */
  remove(key: string): Promise<void>;
  /** Milliseconds of a round trip; throws when objects cannot be stored. */
  ping(): Promise<number>;
}

export interface TempFile {
  path: string;
  remove(): Promise<void>;
}

/** Files on this machine's disk that nobody needs afterwards. */
export interface TempFiles {
  /**
   * A path for a new file; `remove` is to be called in any case. What killed processes
   * left goes first. Throws `Unavailable` when the disk is full.
   */
  make(): Promise<TempFile>;
  /** Fills the file at `path`. */
  fill(path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Does work that writes up to so many bytes, once the disk has room for them beside what others under way may write. */
  reserve<Done>(bytes: number, work: () => Promise<Done>): Promise<Done>;
  /** Removes what killed processes left behind; returns the number of files. */
  sweep(): Promise<number>;
}

/** Where the service keeps and prepares files. */
export interface Disk {
  /** `minBytes`: below so much free space nothing is written. */
  free(): Promise<{ freeBytes: number; minBytes: number }>;
}

/** There is no key to seal with. */
export class SecretsNotConfigured extends Error {
  override name = 'SecretsNotConfigured';
}

/** None of the keys opens a sealed secret: it has to be set again. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

/** How a sealed text begins, and no JSON, URL or `whsec_…` does. */
export const SEALED = 'v1.';
export const isSealed = (text: string): boolean => text.startsWith(SEALED);

/** Keeps secrets unreadable at rest. */
export interface Secrets {
  /** `about`: what the secret belongs to; it cannot be opened as another's. Throws `SecretsNotConfigured` without a key. */
  seal(text: string, about: string): Promise<string>;
  /** Throws `SecretUnreadable` when none of the keys is the one it was sealed with. */
  open(sealed: string, about: string): Promise<string>;
  /** False when it should be sealed anew, under the key that is the current one by now. */
  isCurrent(sealed: string): Promise<boolean>;
  /** Whether one of the keys is the one it was sealed with. */
  canOpen(sealed: string): Promise<boolean>;
}
