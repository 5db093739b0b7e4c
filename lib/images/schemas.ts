import * as z from 'zod/mini';
import { about, Sha256 } from '../truck/json.ts';

/** Schemas of the media route; lib/images/names/media.ts makes the names. */

export const MediaParams = z.object({
  hash: about(
    Sha256,
    'SHA-256 of the original’s bytes, hex.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  name: about(
    z
      .string()
      .check(
        z.regex(
          /^(?:original\.(?:jpg|png|webp)|[1-9]\d{0,3}\.webp)$/,
          'must be original.jpg, original.png, original.webp or a width such as 640.webp',
        ),
      ),
    'The original, or a rendition by its width in pixels.',
    '640.webp',
  ),
});
