import type { ImageStatus, ImageType } from '../truck/fields.ts';

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
  /**
   * Callers render one image at a time. Returns null for bytes that are no intact image of that type;
   * `too_many_pixels` before any pixel is decoded.
   */
  render(bytes: Uint8Array, type: ImageType): Promise<RenderedImage | 'too_many_pixels' | null>;
}

/** An image whose bytes are in the object store. */
export interface StoredImage {
  /** SHA-256 of the original's bytes, hex. */
  hash: string;
  width: number;
  height: number;
  original: string;
  placeholder: string;
  /** Total of the original and all renditions. */
  bytes: number;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** What became of a URL; `image`: its bytes are stored. */
export interface ImageVerdict {
  status: ImageStatus;
  reason?: string;
  image?: StoredImage;
}

export type UnusedImage = Pick<StoredImage, 'hash' | 'original' | 'renditions'>;
