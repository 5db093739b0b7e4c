import * as z from 'zod/mini';
import { localeParameter, storable, WidgetBody, widgetQuery } from '../../search/widget/widget.ts';
import { about, documentedAs, line, nameSchema, PlainUrl } from '../../truck/json.ts';
import { FIELD_TYPES, INTENTS } from './intents.ts';

/** Schemas of POST /v1/widget/lead and GET /v1/widget/forms. */

export const EmailAddress = z.email().check(z.trim(), z.maxLength(254));

/** What a lead has beside the three members that make a widget call; all may be absent. */
const Members = z.object({
  name: about(line(120), 'Name.', 'Jane Doe'),
  email: about(EmailAddress, 'Required without a phone; with one, kept as written.', 'jane@visitor.example'),
  phone: about(
    line(40),
    'Required without an email; with one, kept as written. US numbers need no +1.',
    '(210) 555-0142',
  ),
  vin: about(line(40), 'VIN of the truck the visitor asks about.', '3AKJHHDR0KSKA1234'),
  conversationId: about(storable(128), 'Absent: the visitor’s open conversation, else a new one.'),
  consent: about(
    z.union([z.boolean(), z.object({ text: z.optional(storable(2_000)), page: z.optional(PlainUrl) })]),
    'What the visitor agreed to: `true`, or the text and its page, which are kept as evidence.',
    { text: 'You may call me about this truck.', page: 'https://dealer.example/trucks/U10482' },
  ),
  intent: about(
    z.enum(INTENTS),
    'What the visitor asks for: an intent from GET /v1/widget/forms.',
    'trade_in',
  ),
  details: about(
    z
      .record(z.string().check(z.maxLength(40)), storable(2_000))
      .check(z.refine((details) => Object.keys(details).length <= 20, 'has at most 20 members')),
    'The form’s other fields.',
    { make: 'Peterbilt', model: '389', year: '2015' },
  ),
  marketing: about(
    z.object({ text: storable(2_000), page: z.optional(PlainUrl) }),
    'Only when the visitor ticked the box for marketing texts: its text and page, kept as evidence.',
    { text: 'Text me offers, too.', page: 'https://dealer.example/trucks/U10482' },
  ),
  company: about(z.string(), 'Spam trap: a field that people do not see. Leave it empty.', ''),
  visit: about(z.string(), '`visit` of the first answer of GET /v1/widget/inventory in this page view.'),
  proof: about(
    z.object({
      token: z.string().check(z.maxLength(400)),
      nonce: z.string().check(z.regex(/^\d{1,20}$/, 'must be up to 20 digits')),
    }),
    'Only after a 429 with `details.challenge`: its token, and a nonce for which SHA-256(`token.nonce`) begins with `difficulty` zero bits.',
  ),
});
const { visit, proof, ...members } = z.partial(Members).shape;

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
    ...members,
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

export const LeadCaptured = nameSchema(
  'LeadCaptured',
  z.object({ leadId: z.string(), conversationId: z.string() }),
  'The enquiry is stored, as a lead or an update of one, and is being sent to the dealer.',
);

export const WidgetFormsQuery = z.strictObject({ ...widgetQuery, locale: localeParameter });

const Field = z.object({
  name: about(z.string(), 'Member of the lead’s `details`.', 'down_payment'),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  required: z.boolean(),
  options: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
});

export const WidgetFormsAnswer = nameSchema(
  'WidgetForms',
  z.object({
    forms: z.array(
      z.object({
        intent: about(z.enum(INTENTS), 'Send it as `intent` of the lead.'),
        name: z.string(),
        fields: about(z.array(Field), 'Fields besides name, email, phone and message, which every form has.'),
      }),
    ),
    marketing: about(
      z.object({ text: z.string() }),
      'Text of the checkbox for marketing texts. Show it as a box of its own, not ticked beforehand, and send it as `marketing` when it is ticked.',
    ),
  }),
  'The forms a visitor can fill in, in the requested language.',
);
export type WidgetForms = z.output<typeof WidgetFormsAnswer>;
