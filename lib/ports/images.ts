import type { ImageStatus, ImageType } from '../contract/fields.ts';

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

/** A claimed image: only the worker with the newest fence may say what became of it. */
export interface ImageJob {
  accountId: string;
  url: string;
  host: string;
  /** Tries before this one that ended in a transient failure. */
  attempts: number;
  fence: number;
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

/** The queue of images to fetch. Listings enter theirs as they are written. */
export interface Images {
  of(accountId: string): AccountImages;
  /**
   * Due images across all accounts, leased for `leaseSeconds`, the longest due first. `suspects`: those whose last
   * worker vanished. One whose workers keep vanishing is parked (failed, `parked`) instead.
   */
  claim(limit: number, leaseSeconds: number, which: 'sound' | 'suspects'): Promise<ImageJob[]>;
  /** These three answer false when another worker has it by now; then nothing was written. */
  store(job: ImageJob, image: StoredImage): Promise<boolean>;
  fail(job: ImageJob, reason: string): Promise<boolean>;
  /** `counted`: the try was the image's own failure and counts against it. */
  retry(job: ImageJob, reason: string | null, delaySeconds: number, counted: boolean): Promise<boolean>;
  /** `retry` of many in one go; those that another worker has by now are left alone. */
  retryAll(retries: readonly ImageRetry[]): Promise<void>;
  /** Has listings whose images were settled count as changed; returns how many images those were. */
  announceSettled(): Promise<number>;
  /** Those of these accounts that have as many bytes of photos as they may store. */
  findFull(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface ImageRetry {
  job: ImageJob;
  reason: string | null;
  delaySeconds: number;
  counted: boolean;
}

export interface AccountImages {
  /**
   * Enters URLs, claims those that nobody is at, before they are due too, and answers how each stands; `job` where
   * the caller got it now.
   */
  take(urls: readonly string[], leaseSeconds: number): Promise<(ImageSource & { job: ImageJob | null })[]>;
  /** An image of the same bytes that the account has already. */
  stored(hash: string): Promise<StoredImage | null>;
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
  /** Queues those of these images, whose objects are gone, that any account uses by now; returns how many URLs. */
  refetch(hashes: readonly string[]): Promise<number>;
}

export type UnusedImage = Pick<StoredImage, 'hash' | 'original' | 'renditions'>;
