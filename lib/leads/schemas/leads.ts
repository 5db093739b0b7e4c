import * as z from 'zod/mini';
import { isMoment } from '../../search/sync-point.ts';
import { about, Id, IsoTime, Nullable, nameSchema, PageQuery, SlugLike } from '../../truck/json.ts';
import { WarningAnswer } from '../../warnings.ts';
import { DELIVERY_KINDS, DELIVERY_STATUSES, LEAD_STATUSES, SPEAKERS } from '../statuses.ts';
import { INTENTS } from './intents.ts';

/** Schemas of /v1/leads. */

const Status = z.enum(LEAD_STATUSES);
const Moment = z.string().check(z.refine(isMoment, 'must be a date or a time with its zone, ISO 8601'));

const Evidence = z.object({
  text: Nullable.text,
  sha256: about(Nullable.text, 'Of the text, hex.'),
  page: about(Nullable.text, 'As the caller sent it.'),
  origin: z.optional(about(Nullable.text, 'Origin of the page, as the browser sent it with the lead.')),
  at: IsoTime,
  ip: about(z.string(), 'Of the caller: with a secret key your server’s, not the visitor’s.'),
  user_agent: Nullable.text,
});

/** What an enquiry says: a lead's, and that of each update of it. */
const enquiry = {
  name: Nullable.text,
  email: Nullable.text,
  phone: about(Nullable.text, 'E.164.', '+12105550142'),
  message: z.string(),
  vin: Nullable.text,
  truck: about(
    z.nullable(
      z.object({
        vin: z.string(),
        year: Nullable.integer,
        make: Nullable.text,
        model: Nullable.text,
        trim: Nullable.text,
        condition: Nullable.text,
        price: Nullable.integer,
        currency: z.optional(about(Nullable.text, 'Currency of `price`; null is USD.')),
        mileage: Nullable.integer,
        stock_number: Nullable.text,
      }),
    ),
    'The truck as it was then.',
  ),
  suspicious: about(z.boolean(), 'The lead may be spam; `spam_signals` says why.'),
  spam_signals: z.array(z.string()),
  intent: about(z.nullable(z.enum(INTENTS)), 'What the visitor asks for; null: a general enquiry.'),
  details: about(z.record(z.string(), z.string()), 'The other fields of the intent’s form.', {
    down_payment: '5000',
  }),
  consent: about(z.nullable(Evidence), 'What the visitor agreed to, with the evidence; null: nothing.'),
  marketing: about(z.nullable(Evidence), 'Consent to marketing texts, with the evidence; null: not given.'),
  transcript: about(
    z.array(z.object({ role: z.enum(SPEAKERS), text: z.string(), at: IsoTime })),
    'The conversation since the previous enquiry.',
  ),
  delivery: about(
    z.array(
      z.object({
        kind: z.enum(DELIVERY_KINDS),
        status: about(z.enum(DELIVERY_STATUSES), '`dead`: given up after three days.'),
        attempts: z.int(),
        last_error: about(Nullable.text, '`http_500`, `timeout`, `smtp_550`, …'),
        next_try_at: Nullable.time,
        delivered_at: Nullable.time,
      }),
    ),
    'One entry per delivery method the dealer had when the enquiry was stored.',
  ),
  created_at: IsoTime,
} as const;

export const LeadAnswer = nameSchema(
  'Lead',
  z.object({
    id: z.string(),
    dealer: about(z.string(), 'Slug.'),
    conversation_id: z.string(),
    visitor_id: z.string(),
    status: Status,
    ...enquiry,
    warnings: z.array(WarningAnswer),
    updates: about(
      z.array(z.object({ n: about(z.int(), 'From 1, without gaps.'), ...enquiry })),
      'Later enquiries of the visitor: another truck, message or phone. Each makes the lead `new` again.',
    ),
    updated_at: IsoTime,
  }),
  'A visitor’s enquiry to a dealer.',
);

export type Lead = Omit<z.output<typeof LeadAnswer>, 'warnings'>;
/** An enquiry before it is stored. */
export type NewLead = Pick<Lead, 'id'> &
  Omit<Lead['updates'][number], 'n' | 'truck' | 'transcript' | 'delivery' | 'created_at'>;

export const LeadsQuery = z.strictObject({
  dealer: z.optional(about(SlugLike, 'Slug.', 'lone-star-trucks')),
  status: z.optional(about(Status, 'By status.', 'new')),
  since: z.optional(about(Moment, 'Captured at this time or later.', '2026-01-15T09:30:00Z')),
  updated_since: z.optional(
    about(Moment, 'Captured or updated at this time or later.', '2026-01-15T09:30:00Z'),
  ),
  email: z.optional(
    about(
      z.string().check(z.minLength(3), z.maxLength(254)),
      'Leads of the person with this address, in the lead or in an update; case is ignored.',
      'jane@visitor.example',
    ),
  ),
  phone: z.optional(
    about(
      z.string().check(z.minLength(3), z.maxLength(40)),
      'Leads of the person with this phone, in any notation; a US number unless it has a country code.',
      '(210) 555-0142',
    ),
  ),
  format: about(
    z._default(z.enum(['json', 'csv']), 'json'),
    '`csv` for spreadsheets: texts that could be formulas begin with an apostrophe, and the header x-next-cursor has `next_cursor`.',
    'json',
  ),
  ...PageQuery.shape,
});

export const LeadsAnswer = z.object({ leads: z.array(LeadAnswer), next_cursor: Nullable.text });

export const LeadParams = z.object({ id: about(Id, 'Id of the lead.', 'lead_019a3c5e7b40a1b2c3d4e5f60718') });

export const LeadPatch = z.looseObject({
  status: about(Status, 'How far the dealer has followed up.', 'contacted'),
});

/** What is posted to a dealer's `lead_webhook_url`. */

const { delivery: _, updates, ...members } = LeadAnswer.shape;
const { delivery: __, ...shownUpdate } = updates.def.element.shape;

const LeadOfEvent = z.object({ ...members, updates: z.array(z.object(shownUpdate)) });

export const LeadEvent = nameSchema(
  'LeadEvent',
  z.object({
    type: about(
      z.enum(['lead.created', 'lead.updated']),
      '`lead.updated`: a later enquiry of the same visitor.',
    ),
    timestamp: IsoTime,
    data: LeadOfEvent,
  }),
  'A lead as in `GET /v1/leads`, without its delivery.',
);

export const PingEvent = nameSchema(
  'PingEvent',
  z.object({
    type: z.literal('ping'),
    timestamp: IsoTime,
    data: z.object({ dealer: about(z.string(), 'Slug.') }),
  }),
  'Sent once when `lead_webhook_url` is set; answer 2xx.',
);
