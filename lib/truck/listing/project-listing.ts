import { NO_PLACE } from '../place/place.ts';
import { FIELD_NAMES, type TruckFields } from '../record/record.ts';
import { isFindable } from './listing-doc.ts';
import { ENOUGH_IMAGES, scoreQuality } from './quality.ts';
import { readField } from './read-field.ts';
import { collectRecord, findSlot } from './record-names.ts';
import type { Attributes, ListingDoc, Quality } from './truck.ts';

/** A stored listing, or an answer made of one. */
type OutdatedListing = Pick<ListingDoc, 'attributes' | 'location' | 'quality'> & Partial<TruckFields>;

/**
 * A listing that was stored by an older record table as the present one has it: a new field or part of its place is null,
 * or what an attribute of that name says, which then is no attribute any more. Idempotent.
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

/** The number of images that counted follows from what was missing. */
function projectQuality({ quality, location }: OutdatedListing, fields: TruckFields): Quality {
  const missingItems = new Set(quality.missing);
  const few = missingItems.has('more_images') ? 1 : ENOUGH_IMAGES;
  return scoreQuality({
    fields,
    images: missingItems.has('images') ? 0 : few,
    located: isFindable(location),
  });
}
