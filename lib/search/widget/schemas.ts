import * as z from 'zod/mini';
import { about, digits, Nullable, nameSchema } from '../../truck/json.ts';
import { SEARCH_LIMITS, SearchQuery } from '../schemas.ts';
import { Card, localeParameter, widgetQuery } from './widget.ts';

/** Schemas of GET /v1/widget/inventory: the search of GET /v1/inventory, what of it is the public's. */

const { shape } = SearchQuery;
const MAX_LIMIT = 24;

export const WidgetInventoryQuery = z.strictObject({
  ...widgetQuery,
  locale: localeParameter,
  vin: z.optional(
    about(
      z.string().check(z.length(17, 'must be exactly 17 characters')),
      'Only this truck; filters are ignored.',
      '3AKJHHDR0KSKA1234',
    ),
  ),
  q: shape.q,
  make: shape.make,
  model: shape.model,
  class: shape.class,
  bodyType: shape.body_type,
  condition: shape.condition,
  fuelType: shape.fuel_type,
  yearMin: shape.year_min,
  yearMax: shape.year_max,
  priceMin: shape.price_min,
  priceMax: shape.price_max,
  mileageMax: shape.mileage_max,
  sort: z.optional(
    about(
      z.enum(['newest', 'price', '-price', 'year', '-year', 'mileage', '-mileage']),
      'Order; default newest.',
      'price',
    ),
  ),
  limit: about(z._default(digits(1, MAX_LIMIT), 12), `Maximum trucks per page, 1 to ${MAX_LIMIT}.`, 12),
  cursor: z.optional(
    about(z.string().check(z.maxLength(SEARCH_LIMITS.cursor)), 'The `nextCursor` of the previous page.'),
  ),
});
export type WidgetInventoryInput = z.output<typeof WidgetInventoryQuery>;

const FacetValues = z.array(z.object({ value: z.string(), name: z.string(), count: z.int() }));

export const WidgetInventoryAnswer = nameSchema(
  'WidgetInventory',
  z.object({
    vehicles: z.array(Card),
    count: z.object({
      value: about(z.int(), 'Number of matching trucks.'),
      exact: about(z.boolean(), 'False: more than `value` match.'),
    }),
    nextCursor: about(Nullable.text, 'Cursor of the next page; null on the last.'),
    facets: z.optional(
      about(
        z.object({
          bodyType: z.optional(FacetValues),
          make: z.optional(FacetValues),
          class: z.optional(FacetValues),
          year: z.optional(FacetValues),
        }),
        'On the first page of more than 12 trucks: values to narrow the search by, most frequent first.',
        { bodyType: [{ value: 'sleeper_tractor', name: 'Sleeper tractor', count: 14 }] },
      ),
    ),
    understood: z.optional(
      about(
        z.object({
          readings: about(z.array(z.string()), 'How words of `q` were read.', [
            'Sleeper tractor',
            '≤ $60,000',
          ]),
          without: about(
            z.array(z.string()),
            '`q` without the words of each reading, in the same order: search by it to remove the reading.',
            ['under $60,000', 'sleeper'],
          ),
          dropped: about(
            z.array(z.string()),
            'Words of `q` that were ignored, because no truck has them all.',
          ),
        }),
        'With `q` only.',
      ),
    ),
    closest: z.optional(about(z.array(Card), 'If nothing matches: up to six of the closest trucks.')),
    dealer: about(
      z.object({
        name: z.string(),
        phone: Nullable.text,
        sms: about(Nullable.text, 'Phone number for text messages.'),
        opening: about(
          z.nullable(z.object({ isOpen: z.boolean(), text: z.string() })),
          'Whether the dealer is open now, and until when, in its own time zone; null if its hours are not known.',
          { isOpen: true, text: 'Open until 6:00 PM CT' },
        ),
        reply: about(
          Nullable.text,
          'The dealer’s stated reply time while it is open.',
          'answers in about 10 minutes',
        ),
      }),
      'The dealer of these trucks.',
    ),
    chat: about(
      z.boolean(),
      'Whether POST /v1/widget/chat can answer: the account’s tier includes it, and an AI provider is configured.',
    ),
    visit: about(
      z.string(),
      'Proof of when the visit began. Send the first one of a page view with the lead and with each chat message.',
      'WyJYcTNrcTBaYldtWHk3Y0xwUjJhTjF3IiwiMTc2NzIyNTYwMDAwMCJd.mi8k3v5pXq3kq0ZbWmXy7c',
    ),
  }),
  'The dealer’s available trucks.',
);
