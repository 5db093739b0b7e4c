/** Ports of stored files, and errors of sealed secrets. */

/** Bytes by key. Keys are lower-case paths such as `media/3f…/640.webp`; what is stored under one never changes. */
export interface Objects {
  /** Readers see all of it or nothing. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** Stores a file's content without holding it in memory as a whole. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** Returns the bytes in pieces; null when there is no such object. Throws `Unavailable` if reading breaks off. */
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removing what is not there is no failure. */
  remove(key: string): Promise<void>;
  /** Milliseconds of a round trip; throws when objects cannot be stored. */
  ping(): Promise<number>;
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
