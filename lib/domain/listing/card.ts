import type { ListingStatus } from '../../contract/fields.ts';
import type { Card } from '../../contract/widget/widget.ts';

/** What a card is made of: members of a listing as GET and search answer it. */
export interface CardSource {
  vin: string;
  year?: number | null;
  make?: string | null;
  model?: string | null;
  trim?: string | null;
  price?: number | null;
  mileage?: number | null;
  class?: string | null;
  body_type?: string | null;
  condition?: string | null;
  status: ListingStatus;
  location?: { city?: string | null; state?: string | null } | null;
  url?: string | null;
  images?: readonly CardImage[];
}

interface CardImage {
  status: string;
  placeholder: string | null;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** Pixels a card's image should have across, for a sharp one on a dense screen. */
const IMAGE_WIDTH = 640;

/** The public slice of a listing. `origin`: the service's own, for absolute image URLs. */
export function toCard(listing: CardSource, origin: string): Card {
  const { year = null, make = null, model = null, trim = null } = listing;
  const words = [year, make, model, trim].filter((word) => word !== null && word !== '');
  return {
    vin: listing.vin,
    title: words.length > 0 ? words.join(' ') : listing.vin,
    year,
    make,
    model,
    price: listing.price ?? null,
    mileage: listing.mileage ?? null,
    class: listing.class ?? null,
    bodyType: listing.body_type ?? null,
    condition: listing.condition ?? null,
    status: listing.status,
    location: toCardPlace(listing.location),
    image: toCardImage(listing.images ?? [], origin),
    url: toCardLink(listing.url),
  };
}

function toCardPlace(location: CardSource['location']): string | null {
  const parts = [location?.city, location?.state].filter((part) => part !== null && part !== undefined);
  return parts.length > 0 ? parts.join(', ') : null;
}

/** The narrowest rendition that is wide enough, else the widest, of the first image that is stored. */
function toCardImage(images: readonly CardImage[], origin: string): Card['image'] {
  const stored = images.find(({ status, renditions }) => status === 'stored' && renditions.length > 0);
  const rendition = stored?.renditions.find(({ width }) => width >= IMAGE_WIDTH) ?? stored?.renditions.at(-1);
  if (!stored || !rendition) return null;
  const { width, height } = rendition;
  return { url: `${origin}${rendition.url}`, width, height, placeholder: stored.placeholder };
}

/** Only what a browser may safely open. */
function toCardLink(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
