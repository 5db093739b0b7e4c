import * as z from 'zod/mini';
import { localeParameter, storable, WidgetBody, widgetQuery } from '../../search/widget/widget.ts';
import { about, documentedAs, line, named, PlainUrl } from '../../truck/json.ts';
import { FIELD_TYPES, INTENTS } from './intents.ts';

/** Schemas of POST /v1/widget/lead and GET /v1/widget/forms. */

export const EmailAddress = z.email().check(z.trim(), z.maxLength(254));

/** What a lead has beside the three members that make a widget call; all may be absent. */
const Members = z.object({
  name: about(line(120), 'Name.', 'Jane Doe'),
  email: about(
    EmailAddress,
    'Required unless there is a phone; beside one it is kept however it is written.',
    'jane@visitor.example',
  ),
  phone: about(
    line(40),
    'Required unless there is an email, and kept however it is written beside one; in the US without +1.',
    '(210) 555-0142',
  ),
  vin: about(line(40), 'The truck it is about.', '3AKJHHDR0KSKA1234'),
  conversationId: about(storable(128), 'Absent: the visitor’s open conversation, else a new one.'),
  consent: about(
    z.union([z.boolean(), z.object({ text: z.optional(storable(2_000)), page: z.optional(PlainUrl) })]),
    'What the visitor agreed to: `true`, or the words and the page they stood on, which are kept as evidence.',
    { text: 'You may call me about this truck.', page: 'https://dealer.example/trucks/U10482' },
  ),
  intent: about(z.enum(INTENTS), 'What the visitor asks for: one of GET /v1/widget/forms.', 'trade_in'),
  details: about(
    z
      .record(z.string().check(z.maxLength(40)), storable(2_000))
      .check(z.refine((details) => Object.keys(details).length <= 20, 'has at most 20 members')),
    'What that form asks beyond the members here.',
    { make: 'Peterbilt', model: '389', year: '2015' },
  ),
  marketing: about(
    z.object({ text: storable(2_000), page: z.optional(PlainUrl) }),
    'Only when the visitor ticked the box for text messages that advertise: its words and page, kept as evidence.',
    { text: 'Text me offers, too.', page: 'https://dealer.example/trucks/U10482' },
  ),
  company: about(z.string(), 'Trap for robots: a field that people do not see. Leave it empty.', ''),
  visit: about(z.string(), '`visit` of the first answer of GET /v1/widget/inventory in this page view.'),
  proof: about(
    z.object({
      token: z.string().check(z.maxLength(400)),
      nonce: z.string().check(z.regex(/^\d{1,20}$/, 'must be up to 20 digits')),
    }),
    'Only after a 429 with `details.challenge`: its token, and a nonce for which SHA-256(`token.nonce`) begins with `difficulty` zero bits.',
  ),
});
const { visit, proof, ...asked } = z.partial(Members).shape;

/** Forms send what nobody filled in as ''. */
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

/** The members of a body; a fault is INVALID_PARAMS. What is null or blank is as good as absent. */
export const LeadParams = z.pipe(
  z.transform((body: object) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, isBlank(value) ? undefined : value]),
    ),
  ),
  z.object({
    ...asked,
    // One that is no address is kept beside a phone.
    email: z.optional(line(254)),
    // Nobody who sees the form fills this in; what it holds does not matter.
    company: z.optional(z.unknown()),
    // What does not fit here is as good as absent: a lead is worth more than its token.
    visit: z.catch(visit, undefined),
    proof: z.catch(proof, undefined),
  }),
);
export type LeadInput = z.output<typeof WidgetBody> & z.output<typeof LeadParams>;

export const LeadBody = documentedAs(
  WidgetBody,
  z.looseObject({ ...WidgetBody.shape, ...z.partial(Members).shape }),
);

export const LeadCaptured = named(
  'LeadCaptured',
  z.object({ leadId: z.string(), conversationId: z.string() }),
  'The enquiry is stored, as a lead or as an update of one, and on its way to the dealer.',
);

export const WidgetFormsQuery = z.strictObject({ ...widgetQuery, locale: localeParameter });

const Field = z.object({
  name: about(z.string(), 'Member of the lead’s `details`.', 'down_payment'),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  required: z.boolean(),
  options: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
});

export const WidgetFormsAnswer = named(
  'WidgetForms',
  z.object({
    forms: z.array(
      z.object({
        intent: about(z.enum(INTENTS), 'Send it as `intent` of the lead.'),
        name: z.string(),
        fields: about(z.array(Field), 'Beside name, email, phone and message, which every form has.'),
      }),
    ),
    marketing: about(
      z.object({ text: z.string() }),
      'Words of the box for text messages that advertise: its own box, not ticked beforehand, sent as `marketing` when it is.',
    ),
  }),
  'The forms that a visitor can fill in, in the language asked for.',
);
export type WidgetForms = z.output<typeof WidgetFormsAnswer>;
