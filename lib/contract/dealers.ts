import * as z from 'zod/mini';
import { about, IsoTime, line, Nullable, named, PageQuery } from './json.ts';

/** Schemas of /v1/dealers. */

/** The URL parser forgives blanks and control characters that must not be stored. */
const Website = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(2000),
  z.refine((text) => text.isWellFormed() && !/[\s\p{Cc}]/u.test(text), 'must be a plain URL'),
);

const Slug = about(
  z.string().check(z.maxLength(64), z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be like lone-star-trucks')),
  'Lower-case letters, digits and single hyphens, at most 64; unique across the service.',
  'lone-star-trucks',
);

const rest = {
  phone: z.optional(z.nullable(about(line(40), 'Phone.', '+1 210 555 0142'))),
  email: z.optional(
    z.nullable(about(z.email().check(z.maxLength(254)), 'Contact address.', 'sales@dealer.example')),
  ),
  website: z.optional(z.nullable(about(Website, 'Website.', 'https://dealer.example'))),
  address: z.optional(z.nullable(about(line(200), 'Street address.', '4100 Interstate 35 N'))),
  city: z.optional(z.nullable(about(line(80), 'City.', 'San Antonio'))),
  state: z.optional(z.nullable(about(line(40), 'State.', 'TX'))),
  zip: z.optional(z.nullable(about(line(12), 'ZIP code.', '78219'))),
};

export const DealerCreate = z.looseObject({
  slug: Slug,
  name: about(line(200), 'Name.', 'Lone Star Trucks'),
  ...rest,
});
export const DealerPatch = z.looseObject({
  slug: Slug,
  name: z.optional(about(line(200), 'Name.')),
  ...rest,
});

export const DealerAnswer = named(
  'Dealer',
  z.object({
    slug: z.string(),
    name: z.string(),
    phone: Nullable.text,
    email: Nullable.text,
    website: Nullable.text,
    address: Nullable.text,
    city: Nullable.text,
    state: Nullable.text,
    zip: Nullable.text,
    created_at: IsoTime,
    updated_at: IsoTime,
  }),
  'A dealer of the account.',
);

export const DealersQuery = PageQuery;
export const DealersAnswer = z.object({ dealers: z.array(DealerAnswer), next_cursor: Nullable.text });
