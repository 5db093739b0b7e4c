/** Terms of an inventory record: statuses, classes, bodies and limits. Its fields: record/fields.ts. */

export const LISTING_STATUSES = ['available', 'sold', 'delisted'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** States of an image. */
export const IMAGE_STATUSES = ['pending', 'stored', 'failed'] as const;
export type ImageStatus = (typeof IMAGE_STATUSES)[number];

/** Accepted kinds of images. */
const IMAGE_TYPES = ['jpeg', 'png', 'webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Statuses PATCH may set. */
export const PATCH_STATUSES = ['sold', 'delisted'] as const;

export const TRUCK_CLASSES = ['class_3', 'class_4', 'class_5', 'class_6', 'class_7', 'class_8'] as const;
export type TruckClass = (typeof TRUCK_CLASSES)[number];

/** The eight consumer bodies of contract section 2. */
export const BLOCKED_BODIES = [
  'sedan',
  'suv',
  'coupe',
  'crossover',
  'hatchback',
  'convertible',
  'minivan',
  'wagon',
] as const;

/** Hard limits of contract section 8. */
export const LIMITS = {
  batchSize: 500,
  vinLength: 17,
  yearMin: 1990,
  yearsAhead: 2,
  gvwrFloor: 10_001,
  priceFloor: 1_000,
  bodyBytes: 4 * 1024 * 1024,
  jsonDepth: 32,
  jsonValues: 300_000,
  sources: 100,
} as const;
