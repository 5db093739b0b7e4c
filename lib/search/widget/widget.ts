import * as z from 'zod/mini';
import { LISTING_STATUSES } from '../../truck/fields.ts';
import { about, Nullable, named } from '../../truck/json.ts';

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

/** Language of the words in an answer. */
export const localeParameter = z.optional(
  about(
    z.string().check(z.maxLength(40)),
    'Language of names and sentences: en, es or fr, with or without a region; anything else is English.',
    'es-MX',
  ),
);

/** On widget routes with a body. */
export const WidgetQuery = z.looseObject({ key });

/** Who asks, on widget routes without a body. */
export const widgetQuery = { key, dealerSlug, visitorId } as const;

const photo = {
  url: z.string(),
  width: z.int(),
  height: z.int(),
  placeholder: about(Nullable.text, 'A blurred thumbnail as a data URI.'),
} as const;

export const Card = named(
  'TruckCard',
  z.object({
    vin: z.string(),
    title: about(z.string(), 'Year, make, model and trim.', '2019 Freightliner Cascadia 126'),
    year: Nullable.integer,
    make: Nullable.text,
    model: Nullable.text,
    price: about(Nullable.integer, 'In whole units of `currency`; null: call for price.'),
    currency: about(Nullable.text, 'Currency of `price`: USD, CAD or MXN; null: call for price.'),
    mileage: Nullable.integer,
    distance: z.optional(
      about(
        Nullable.text,
        'The mileage with its unit: miles, kilometers where the truck is in Canada or Mexico.',
        '412,350 mi',
      ),
    ),
    class: Nullable.text,
    bodyType: Nullable.text,
    body: z.optional(about(z.string(), 'The body’s name in the language asked for.', 'Sleeper tractor')),
    condition: Nullable.text,
    status: z.enum(LISTING_STATUSES),
    location: about(Nullable.text, 'City and state.', 'San Antonio, TX'),
    image: about(z.nullable(z.object(photo)), 'The first photo that is stored.'),
    url: about(Nullable.text, 'The truck’s page on the dealer’s own site.'),
    description: z.optional(about(Nullable.text, 'With `vin` only: in the dealer’s words.')),
    specs: z.optional(
      about(
        z.array(z.object({ id: z.string(), name: z.string(), value: z.string() })),
        'With `vin` only: the facts that are known, in the order in which buyers ask and in the language asked for.',
        [{ id: 'engine', name: 'Engine', value: 'Detroit DD15, 455 hp' }],
      ),
    ),
    photos: z.optional(
      about(
        z.array(z.object({ ...photo, alt: about(z.string(), 'Says in words which photo it is.') })),
        'With `vin` only: up to 12.',
      ),
    ),
  }),
  'What visitors see of a truck.',
);
export type Card = z.output<typeof Card>;
