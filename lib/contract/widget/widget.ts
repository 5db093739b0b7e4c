import * as z from 'zod/mini';
import { LISTING_STATUSES } from '../fields.ts';
import { about, Nullable, named } from '../json.ts';

/** What the widget routes share; members in camelCase, as the contract's are. */

/** Text as a visitor may send it: stored and passed on, so never with NUL or lone surrogates. */
export const storable = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'must be plain text'),
  );

/** A slug, well-formed or not: whatever is none of the account's dealers is FORBIDDEN. */
const dealerSlug = about(
  z.string().check(z.minLength(1), z.maxLength(200)),
  'Slug of one of the account’s dealers.',
  'lone-star-trucks',
);
const visitorId = about(
  storable(128),
  'Names the visitor across calls, 1 to 128 characters; made by the page, no personal data.',
  'v_5f0c2b7e9a',
);

/** The three members that every widget body has (contract section 2). */
export const WidgetBody = z.looseObject({
  message: about(
    storable(2_000),
    'What the visitor writes, 1 to 2,000 characters.',
    'Is the 2019 Cascadia still there?',
  ),
  dealerSlug,
  visitorId,
});

const key = z.optional(
  about(
    z.string().check(z.maxLength(200)),
    'The publishable key, in the place of the header Authorization: such a request needs no preflight.',
    'ctis_wk_live_…',
  ),
);

/** On widget routes with a body. */
export const WidgetQuery = z.looseObject({ key });

/** Who asks, on widget routes without a body. */
export const widgetQuery = { key, dealerSlug, visitorId } as const;

export const Card = named(
  'TruckCard',
  z.object({
    vin: z.string(),
    title: about(z.string(), 'Year, make, model and trim.', '2019 Freightliner Cascadia 126'),
    year: Nullable.integer,
    make: Nullable.text,
    model: Nullable.text,
    price: about(Nullable.integer, 'Whole US dollars; null: call for price.'),
    mileage: Nullable.integer,
    class: Nullable.text,
    bodyType: Nullable.text,
    condition: Nullable.text,
    status: z.enum(LISTING_STATUSES),
    location: about(Nullable.text, 'City and state.', 'San Antonio, TX'),
    image: about(
      z.nullable(z.object({ url: z.string(), width: z.int(), height: z.int(), placeholder: Nullable.text })),
      'The first photo that is stored; `placeholder` is a blurred thumbnail as a data URI.',
    ),
    url: about(Nullable.text, 'The truck’s page on the dealer’s own site.'),
  }),
  'What visitors see of a truck.',
);
export type Card = z.output<typeof Card>;
