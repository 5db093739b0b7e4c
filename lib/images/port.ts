import type { Job } from '../db/jobs/queue.ts';
import type { ImageStatus, ImageType } from '../truck/fields.ts';

/** Images of trucks: queued, fetched, rendered, kept up. */

/** A photo made ready to be shown. */
export interface RenderedImage {
  /** Pixels of the original as it is to be looked at, EXIF orientation applied. */
  width: number;
  height: number;
  /** In its own format and full size up to 4,096 pixels a side, upright, without metadata. */
  original: Uint8Array;
  /** WebP without metadata, narrowest first; none wider than the original. */
  renditions: readonly { width: number; height: number; bytes: Uint8Array }[];
  /** Blurred thumbnail as a data URI. */
  placeholder: string;
}

export interface Imaging {
  /** One at a time, by its callers. Null when the bytes are no sound image of that type; `too_many_pixels` before any pixel is decoded. */
  render(bytes: Uint8Array, type: ImageType): Promise<RenderedImage | 'too_many_pixels' | null>;
}

/** One image URL as it stands. */
export interface ImageSource {
  url: string;
  status: ImageStatus;
  /** Why it failed, or why the last try did. */
  reason: string | null;
}

/** What is known of an image's bytes once they are in the object store. */
export interface StoredImage {
  /** SHA-256 of the original's bytes, hex. */
  hash: string;
  width: number;
  height: number;
  original: string;
  placeholder: string;
  /** Of the original and all renditions. */
  bytes: number;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** What became of a URL; `image`: its bytes are stored. */
export interface ImageVerdict {
  status: ImageStatus;
  reason?: string;
  image?: StoredImage;
}

export interface Images {
  of(accountId: string): AccountImages;
}

export interface AccountImages {
  /** Of these URLs; what died a day ago is pending again. */
  states(urls: readonly string[]): Promise<ImageSource[]>;
  /** The URLs that a listing names; none when it is gone. */
  ofListing(dedupHash: string): Promise<string[]>;
  /** With a job nothing is written once the worker has lost it. What is stored stays stored. */
  save(url: string, verdict: ImageVerdict, job?: Job | null): Promise<void>;
  /** Has a listing count as changed whose images were settled since it last did. Throws `LockTimeout`. */
  announce(dedupHash: string): Promise<void>;
  /** An image of the same bytes that the account has already. */
  stored(hash: string): Promise<StoredImage | null>;
  /** It has as many bytes of photos as it may store. */
  isFull(): Promise<boolean>;
}

/** The hourly jobs over images and the listings that name them. */
export interface ImageUpkeep {
  /** Accounts with images that died lately. */
  withDead(): Promise<string[]>;
  /** Corrects quality and `has_images` of listings that name such images; answers how many. */
  regrade(accountId: string): Promise<number>;
  /** Accounts whose turn it is in this hour of the day, 0 to 23. */
  ofHour(hour: number): Promise<string[]>;
  /** Forgets images that no listing names any more and nothing happened to for 30 days; answers how many. */
  forget(accountId: string): Promise<number>;
  /** Marks stored images that no URL stands for; returns those that have been marked for a day, at most `max`. */
  findUnused(accountId: string, max: number): Promise<UnusedImage[]>;
  /** Those of these images that other accounts use too. */
  usedElsewhere(accountId: string, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Forgets images whose objects are gone, but for those that came into use meanwhile. */
  removeStored(accountId: string, hashes: readonly string[]): Promise<void>;
  /** Has those of these images, whose objects are gone, fetched again that any account uses by now. */
  refetch(hashes: readonly string[]): Promise<void>;
}

export type UnusedImage = Pick<StoredImage, 'hash' | 'original' | 'renditions'>;
