import { NO_PLACE } from '../place/place.ts';
import { FIELD_NAMES, type TruckFields } from '../record/record.ts';
import { isFindable } from './listing-doc.ts';
import { ENOUGH_IMAGES, scoreQuality } from './quality.ts';
import { readField } from './read-field.ts';
import { collectRecord, findSlot } from './record-names.ts';
import type { Attributes, ListingDoc, Quality } from './truck.ts';

/** A stored listing, or an answer with one. */
type OutdatedListing = Pick<ListingDoc, 'attributes' | 'location' | 'quality'> & Partial<TruckFields>;

/**
 * Brings a listing of an older record table up to date. A new field or part of its place gets the value of the attribute
 * with its name, which is removed, or null. Idempotent.
 */
export function projectListing<Listing extends OutdatedListing>(listing: Listing): Listing & TruckFields {
  const missing = FIELD_NAMES.filter((name) => listing[name] === undefined);
  const { values } = collectRecord(listing.attributes);
  const attributeFields: Partial<TruckFields> = {};
  for (const name of missing) if (values.has(name)) readField(name, values.get(name), attributeFields, []);
  const fields = Object.fromEntries(
    FIELD_NAMES.map((name) => [name, listing[name] ?? attributeFields[name] ?? null]),
  ) as unknown as TruckFields;
  const attributes: Attributes = Object.fromEntries(
    Object.entries(listing.attributes).filter(([key]) => {
      const slot = findSlot(key);
      return !missing.some((name) => name === slot);
    }),
  );
  const location = listing.location && { ...NO_PLACE, ...listing.location };
  return { ...listing, ...fields, location, attributes, quality: projectQuality(listing, fields) };
}

/** Scores again; the number of images follows from the missing items. */
function projectQuality({ quality, location }: OutdatedListing, fields: TruckFields): Quality {
  const missingItems = new Set(quality.missing);
  const few = missingItems.has('more_images') ? 1 : ENOUGH_IMAGES;
  return scoreQuality({
    fields,
    images: missingItems.has('images') ? 0 : few,
    located: isFindable(location),
  });
}
