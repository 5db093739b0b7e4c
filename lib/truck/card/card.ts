import type { Card, Photo } from '../../search/widget/widget.ts';
import type { ListingStatus } from '../fields.ts';
import { describeMileage, describePlace, toBodyName } from './card-words.ts';
import type { Locale } from './locale.ts';
import { listSpecs, type SpecSource } from './specs.ts';

/** What a card is made of: members of a listing as GET and search answer it. */
export interface CardSource extends SpecSource {
  status: ListingStatus;
  images?: readonly CardImage[];
}

interface CardImage {
  status: string;
  placeholder: string | null;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** Pixels a card's image should have across, for a sharp one on a dense screen. */
const IMAGE_WIDTH = 640;

/**
 * The public slice of a listing. `origin`: the service's own, for absolute image URLs. `locale`: words are in this
 * language.
 */
export function toCard(listing: CardSource, origin: string, locale?: Locale): Card {
  const { year = null, make = null, model = null, trim = null } = listing;
  const { price = null, currency = null } = listing;
  const words = [year, make, model, trim].filter((word) => word !== null && word !== '');
  return {
    vin: listing.vin,
    title: words.length > 0 ? words.join(' ') : listing.vin,
    year,
    make,
    model,
    price,
    currency: price === null ? null : (currency ?? 'USD'),
    mileage: listing.mileage ?? null,
    ...(locale ? { distance: describeMileage(listing.mileage, listing.location, locale) } : {}),
    class: listing.class ?? null,
    bodyType: listing.body_type ?? null,
    ...(locale && listing.body_type ? { body: toBodyName(listing.body_type, locale) } : {}),
    condition: listing.condition ?? null,
    status: listing.status,
    location: describePlace(listing.location),
    image: toCardImage(listing.images ?? [], origin),
    url: toCardLink(listing.url),
  };
}

const MAX_PHOTOS = 12;

/** The same with all that decides: for the one truck that a visitor looks at. */
export function toDetailedCard(listing: CardSource, origin: string, locale: Locale, now: number): Card {
  const card = toCard(listing, origin, locale);
  const photos = (listing.images ?? []).flatMap((image) => toPhoto(image, origin) ?? []).slice(0, MAX_PHOTOS);
  const describe = (at: number) =>
    PHOTO_WORDS[locale].replace('#', `${at + 1}`).replace('#', `${photos.length}`);
  return {
    ...card,
    description: listing.description ?? null,
    specs: listSpecs(listing, locale, now),
    photos: photos.map((photo, at) => ({ ...photo, alt: `${card.title}, ${describe(at)}` })),
  };
}

const PHOTO_WORDS: Readonly<Record<Locale, string>> = {
  en: 'photo # of #',
  es: 'foto # de #',
  fr: 'photo # sur #',
};

/** The first image that is stored. */
function toCardImage(images: readonly CardImage[], origin: string): Card['image'] {
  for (const image of images) {
    const photo = toPhoto(image, origin);
    if (photo !== null) return photo;
  }
  return null;
}

/** The narrowest rendition that is wide enough, else the widest; null when none is stored. */
function toPhoto({ status, placeholder, renditions }: CardImage, origin: string): Photo | null {
  const rendition = renditions.find(({ width }) => width >= IMAGE_WIDTH) ?? renditions.at(-1);
  if (status !== 'stored' || !rendition) return null;
  const { width, height } = rendition;
  return { url: `${origin}${rendition.url}`, width, height, placeholder };
}

/** Only what a browser may safely open. */
function toCardLink(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
