import { FIELDS } from '../record/fields.ts';
import { PARTS } from '../record/parts.ts';
import { entryFor, type FieldName, type TruckFields, typedKeys } from '../record/record.ts';
import type { Quality } from './truck.ts';

/** What a listing shows of a truck; VIN, year and make are always there. */
export interface ListingContents {
  fields: TruckFields;
  images: number;
  /** The place can be put on a map. */
  located: boolean;
}

/** What counts and how much, in points of 100: what buyers ask for before they call. The rest is in the record table. */
const MORE_IMAGES = 5;

export type QualityItem = FieldName | 'images' | 'location' | 'more_images';

/** Items by weight, highest first. */
export const QUALITY_ITEMS = [
  ...typedKeys({ ...PARTS, ...FIELDS }).map((name) => [name, entryFor(name).quality ?? 0] as const),
  ['more_images', MORE_IMAGES] as const,
]
  .filter(([, points]) => points > 0)
  .sort(([, a], [, b]) => b - a) as readonly (readonly [QualityItem, number])[];

/** From this many images on a listing has enough of them. */
export const ENOUGH_IMAGES = 5;
/** A description shorter than this says nothing. */
const MIN_DESCRIPTION_LENGTH = 40;

/**
 * How much of what buyers look for a listing has: 100 less the points of what is missing. Adding something never
 * lowers the score. A price of null (call for price) and a new truck's odometer count as they are.
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

/** Why an item counts as missing, where that is more than its absence. */
const REASONS: Partial<Record<QualityItem, string>> = {
  images: 'No photo was sent, or none could be downloaded.',
  more_images: `Fewer than ${ENOUGH_IMAGES} downloadable images.`,
  location: 'Neither coordinates nor a city with its state.',
  description: `Fewer than ${MIN_DESCRIPTION_LENGTH} characters.`,
  mileage: 'Not given, and the truck is not new.',
};

/** The same with the points of each part, and with what would raise the score most, first. */
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
