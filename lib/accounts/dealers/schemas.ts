import * as z from 'zod/mini';
import { DELIVERY_KINDS, LEAD_EMAIL_FORMATS } from '../../leads/statuses.ts';
import {
  about,
  dryRunMark,
  Email,
  IsoTime,
  line,
  Nullable,
  nameSchema,
  PageQuery,
  PlainUrl,
} from '../../truck/json.ts';
import { toNormalForm } from '../../truck/text/text.ts';
import { WarningAnswer } from '../../warnings.ts';
import { Hours, TimeZone } from './hours.ts';

/** Schemas of /v1/dealers. */

/** Dealers of an account. */
export const MAX_DEALERS = { starter: 200, pro: 2_000, enterprise: 20_000 } as const;

/** Over TLS, but to an address or port that OUTBOUND_ALLOW may name: the service judges that, and again at each call. */
const WebhookUrl = PlainUrl.check(
  z.refine((text) => !/^\w+:\/*[^/?#]*@/.test(text), 'must be a URL without credentials'),
);

export const Slug = about(
  z.string().check(z.maxLength(64), z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be like lone-star-trucks')),
  'Lower-case letters, digits and single hyphens, at most 64; unique in the account.',
  'lone-star-trucks',
);

/** `Lone Star Trucks, Inc.` → lone-star-trucks-inc; '' for a name without Latin letters and digits. */
export const toSlug = (name: string): string =>
  toNormalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 64)
    .replace(/-$/, '');

const MAX_REPLY_MINUTES = 2_880;
const EXAMPLE_HOURS = {
  mon: [
    { opens: '07:30', closes: '12:00' },
    { opens: '13:00', closes: '18:00' },
  ],
  sat: [{ opens: '08:00', closes: '12:00' }],
  closed_on: ['2026-12-25'],
};

const detail = <Schema extends z.ZodMiniType>(schema: Schema, text: string, example: unknown) =>
  z.nullable(about(schema, text, example));

/** What callers may set beside slug and name, under the names of the columns; null clears it. */
export const Details = z.object({
  phone: detail(line(40), 'Phone.', '+1 210 555 0142'),
  email: detail(Email, 'Contact address.', 'sales@dealer.example'),
  website: detail(PlainUrl, 'Website.', 'https://dealer.example'),
  address: detail(line(200), 'Street address.', '4100 Interstate 35 N'),
  city: detail(line(80), 'City.', 'San Antonio'),
  state: detail(line(40), 'State.', 'TX'),
  zip: detail(line(12), 'ZIP code.', '78219'),
  sms: detail(line(40), 'Phone number for text messages.', '+1 210 555 0143'),
  hours: detail(Hours, 'Opening hours, in `time_zone`.', EXAMPLE_HOURS),
  time_zone: detail(
    TimeZone,
    'IANA time zone of `hours`; derived from the dealer’s place when absent. Required with `hours` if the place is unknown.',
    'America/Chicago',
  ),
  reply_minutes: detail(
    z.int().check(z.gte(1), z.lte(MAX_REPLY_MINUTES)),
    'Reply time while the dealer is open, in minutes, at most two days. Visitors see it only when it is set.',
    10,
  ),
  lead_email: detail(
    Email,
    'Address for the widget’s leads, mailed as ADF/XML that CRMs read.',
    'leads@dealer.example',
  ),
  lead_email_format: detail(
    z.enum(LEAD_EMAIL_FORMATS),
    'Format of these mails. `adf`: plain-text ADF only. `both` or null: also a readable part.',
    'adf',
  ),
  lead_webhook_url: detail(
    WebhookUrl,
    'URL that the widget’s leads are posted to, signed as Standard Webhooks; https only.',
    'https://crm.dealer.example/hooks/leads',
  ),
});

export const DealerCreate = z.looseObject({
  slug: Slug,
  name: about(line(200), 'Name.', 'Lone Star Trucks'),
  ...z.partial(Details).shape,
  rotate_lead_webhook_secret: z.optional(
    about(
      z.boolean(),
      '`true` replaces the webhook’s signing secret; the answer shows the new one. For 24 hours calls are signed with both.',
      true,
    ),
  ),
});
export const DealerPatch = z.looseObject({
  ...DealerCreate.shape,
  name: z.optional(DealerCreate.shape.name),
});
export type DealerBody = z.output<typeof DealerPatch>;

/** How a try to reach a receiver ended. */
const Outcome = z.enum(['delivered', 'failed', 'refused', 'postponed']);
const OutcomeReason = about(
  Nullable.text,
  'Reason: `http_500`, `timeout`, `dns_failed`, `address_refused`, …; null when delivered.',
  'http_500',
);

const WebhookCheck = nameSchema(
  'WebhookCheck',
  z.object({ at: IsoTime, outcome: Outcome, reason: OutcomeReason }),
  'Outcome of the last ping or test of a webhook.',
);
export type WebhookCheck = z.output<typeof WebhookCheck>;

export const DealerAnswer = nameSchema(
  'Dealer',
  z.object({
    slug: z.string(),
    name: z.string(),
    ...Details.shape,
    time_zone: about(Nullable.text, 'As sent, or derived from the place when `hours` were sent.'),
    lead_email: about(
      Nullable.text,
      'Null for a key without the scope `leads`, as are all members about lead delivery.',
    ),
    lead_webhook_check: about(
      z.nullable(WebhookCheck),
      'Outcome of the last ping or test of `lead_webhook_url`; null until one has ended. `delivered`: the receiver answered with 2xx.',
    ),
    created_at: IsoTime,
    updated_at: IsoTime,
  }),
  'A dealer of the account.',
);
export type Dealer = z.output<typeof DealerAnswer>;
/** As the dealer was saved, unread. */
export type DealerPlace = Pick<Dealer, 'city' | 'state' | 'zip'>;

/** The answer of a write: the only place that ever shows the secret. */
export const SavedDealerAnswer = nameSchema(
  'SavedDealer',
  z.object({
    ...DealerAnswer.shape,
    lead_webhook_secret: z.optional(
      about(
        z.string(),
        'The webhook’s signing secret, `whsec_…`; only when it has just been created, with the first `lead_webhook_url` or by `rotate_lead_webhook_secret`.',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ),
    ),
    warnings: z.optional(
      about(
        z.array(WarningAnswer),
        'DEALER_NOT_ASSIGNED if trucks were posted before; DEALER_FIELD_UNRECOGNIZED for an unknown state or zip; UNKNOWN_FIELD for members that dealers do not have.',
      ),
    ),
    ...dryRunMark,
  }),
  'The dealer as it is now.',
);

export const TestLeadQuery = z.object({
  kind: about(
    z._default(z.enum(DELIVERY_KINDS), 'webhook'),
    'The delivery method to test: `webhook` (default) or `email`.',
    'webhook',
  ),
});

export const TestLeadAnswer = nameSchema(
  'TestLead',
  z.object({
    kind: z.enum(DELIVERY_KINDS),
    outcome: Outcome,
    reason: OutcomeReason,
    request: about(
      z.nullable(z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
      'The webhook request, byte for byte: verify it in a receiver that the service cannot reach. Null when nothing was sent.',
    ),
    response: about(
      z.nullable(z.object({ status: z.int() })),
      'The receiver’s response; null if there was none.',
    ),
  }),
  'Outcome of a test lead.',
);

/** A slug that nobody can have is absent, not malformed. */
export const SlugParams = z.object({ slug: about(z.string(), 'Slug of the dealer.', 'lone-star-trucks') });
export const DealersQuery = PageQuery;
export const DealersAnswer = z.object({ dealers: z.array(DealerAnswer), next_cursor: Nullable.text });
