import type { ListingStatus } from '../fields.ts';
import { describeMileage, describePlace, toBodyName } from './card-words.ts';
import type { Locale } from './locale.ts';
import { listSpecs, type SpecSource } from './specs.ts';

/** The members of a listing that a card needs, as GET and search return them. */
export interface CardSource extends SpecSource {
  status: ListingStatus;
  images?: readonly CardImage[];
}

interface CardImage {
  status: string;
  placeholder: string | null;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** Width in pixels of a card's image that is sharp on a dense screen. */
const IMAGE_WIDTH = 640;

/**
 * Makes a card of the public part of a listing, in a language. `origin` is the service's, for absolute image URLs.
 */
export function toCard(listing: CardSource, origin: string, locale: Locale) {
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
    distance: describeMileage(listing.mileage, listing.location, locale),
    class: listing.class ?? null,
    bodyType: listing.body_type ?? null,
    ...(listing.body_type ? { body: toBodyName(listing.body_type, locale) } : {}),
    condition: listing.condition ?? null,
    status: listing.status,
    location: describePlace(listing.location),
    image: toPhotos(listing, origin)[0] ?? null,
    url: toCardLink(listing.url),
  };
}

const MAX_PHOTOS = 12;

/** Adds description, facts and photos to a card, for the truck that a visitor looks at. */
export function toDetailedCard(listing: CardSource, origin: string, locale: Locale, now: number) {
  const card = toCard(listing, origin, locale);
  const photos = toPhotos(listing, origin).slice(0, MAX_PHOTOS);
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

/** Lists the stored photos, each in the narrowest rendition that is wide enough, or in the widest. */
const toPhotos = ({ images = [] }: CardSource, origin: string) =>
  images.flatMap(({ status, placeholder, renditions }) => {
    const rendition = renditions.find(({ width }) => width >= IMAGE_WIDTH) ?? renditions.at(-1);
    if (status !== 'stored' || !rendition) return [];
    const { width, height, url } = rendition;
    return [{ url: `${origin}${url}`, width, height, placeholder }];
  });

/** Returns only URLs that a browser may safely open. */
function toCardLink(url: string | null | undefined) {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
