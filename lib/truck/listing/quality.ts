import { FIELDS } from '../record/fields.ts';
import { PARTS } from '../record/parts.ts';
import { entryFor, type FieldName, type TruckFields, typedKeys } from '../record/record.ts';
import type { Quality } from './truck.ts';

/** The parts of a listing that quality is scored by; VIN, year and make are always there. */
export interface ListingContents {
  fields: TruckFields;
  images: number;
  /** True if the place has coordinates, or a city and a state. */
  located: boolean;
}

/** Points of 100 for more than one image; the record table has the points of all other items. */
const MORE_IMAGES = 5;

export type QualityItem = FieldName | 'images' | 'location' | 'more_images';

/** Items by weight, highest first. */
export const QUALITY_ITEMS = [
  ...typedKeys({ ...PARTS, ...FIELDS }).map((name) => [name, entryFor(name).quality ?? 0] as const),
  ['more_images', MORE_IMAGES] as const,
]
  .filter(([, points]) => points > 0)
  .sort(([, a], [, b]) => b - a) as readonly (readonly [QualityItem, number])[];

/** The number of images that a listing should have. */
export const ENOUGH_IMAGES = 5;
/** A shorter description counts as missing. */
const MIN_DESCRIPTION_LENGTH = 40;

/**
 * Scores a listing: 100 minus the points of missing items. Adding an item never lowers the score. A price on request counts
 * as missing; a new truck's odometer does not.
 */
export function scoreQuality(listing: ListingContents): Quality {
  let score = 100;
  const missing: string[] = [];
  for (const [item, points] of QUALITY_ITEMS) {
    if (hasItem(listing, item)) continue;
    score -= points;
    missing.push(item);
  }
  return { score, missing };
}

/** Reasons for which an item counts as missing, other than that it is absent. */
const REASONS: Partial<Record<QualityItem, string>> = {
  images: 'No photo was sent, or none could be downloaded.',
  more_images: `Fewer than ${ENOUGH_IMAGES} downloadable images.`,
  location: 'Neither coordinates nor a city with its state.',
  description: `Fewer than ${MIN_DESCRIPTION_LENGTH} characters.`,
  mileage: 'Not given, and the truck is not new.',
};

/** Adds the points of each part, and the items that would raise the score, most points first. */
export function explainQuality({ score, missing }: Quality) {
  const missingItems = new Set(missing);
  const parts = QUALITY_ITEMS.map(([part, of]) =>
    missingItems.has(part)
      ? { part, points: 0, of, ...(REASONS[part] && { why: REASONS[part] }) }
      : { part, points: of, of },
  );
  const raise = QUALITY_ITEMS.filter(([part]) => missingItems.has(part)).map(([part, points]) => ({
    field: part === 'more_images' ? 'images' : part,
    points,
  }));
  return { score, missing, parts, raise };
}

function hasItem({ fields, images, located }: ListingContents, item: QualityItem): boolean {
  if (item === 'images') return images > 0;
  if (item === 'more_images') return images >= ENOUGH_IMAGES;
  if (item === 'location') return located;
  if (item === 'mileage' && fields.condition === 'new') return true;
  if (item === 'description') return (fields.description?.length ?? 0) >= MIN_DESCRIPTION_LENGTH;
  const value = fields[item];
  return Array.isArray(value) ? value.length > 0 : value !== null;
}
