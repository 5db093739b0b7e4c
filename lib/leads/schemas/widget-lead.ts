import * as z from 'zod/mini';
import { storable, WidgetBody } from '../../search/widget/widget.ts';
import { about, documentedAs, line, named, PlainUrl } from '../../truck/json.ts';
import { INTENTS } from './intents.ts';

/** Schemas of POST /v1/widget/lead. */

/** Forms send what nobody filled in as ''. */
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
/** Absent, null or blank, or as the schema says. */
const given = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown) => (isBlank(value) ? undefined : value)),
    z.optional(schema),
  );

const members = {
  name: line(120),
  email: z.email().check(z.trim(), z.maxLength(254)),
  phone: line(40),
  vin: line(40),
  conversationId: storable(128),
  consent: z.union([
    z.boolean(),
    z.object({ text: z.optional(storable(2_000)), page: z.optional(PlainUrl) }),
  ]),
  intent: z.enum(INTENTS),
  details: z
    .record(z.string().check(z.maxLength(40)), storable(2_000))
    .check(z.refine((details) => Object.keys(details).length <= 20, 'has at most 20 members')),
  marketing: z.object({ text: storable(2_000), page: z.optional(PlainUrl) }),
  visit: z.string(),
  proof: z.object({
    token: z.string().check(z.maxLength(200)),
    nonce: z.string().check(z.regex(/^\d{1,20}$/, 'must be up to 20 digits')),
  }),
} as const;

export const EmailAddress = members.email;

/** Everything beside the three members that make a widget call; a fault is INVALID_PARAMS. */
export const LeadParams = z.object({
  name: given(members.name),
  // One that is no address is kept beside a phone.
  email: given(line(254)),
  phone: given(members.phone),
  vin: given(members.vin),
  conversationId: given(members.conversationId),
  consent: given(members.consent),
  intent: given(members.intent),
  details: given(members.details),
  marketing: given(members.marketing),
  /** Nobody who sees the form fills this in; what it holds does not matter. */
  company: z.optional(z.unknown()),
  // What does not fit here is as good as absent: a lead is worth more than its token.
  visit: z.catch(given(members.visit), undefined),
  proof: z.catch(given(members.proof), undefined),
});
export type LeadInput = z.output<typeof WidgetBody> & z.output<typeof LeadParams>;

export const LeadBody = documentedAs(
  WidgetBody,
  z.looseObject({
    ...WidgetBody.shape,
    name: z.optional(about(members.name, 'Name.', 'Jane Doe')),
    email: z.optional(
      about(
        members.email,
        'Required unless there is a phone; beside one it is kept however it is written.',
        'jane@visitor.example',
      ),
    ),
    phone: z.optional(
      about(
        members.phone,
        'Required unless there is an email, and kept however it is written beside one; in the US without +1.',
        '(210) 555-0142',
      ),
    ),
    vin: z.optional(about(members.vin, 'The truck it is about.', '3AKJHHDR0KSKA1234')),
    conversationId: z.optional(
      about(members.conversationId, 'Absent: the visitor’s open conversation, else a new one.'),
    ),
    consent: z.optional(
      about(
        members.consent,
        'What the visitor agreed to: `true`, or the words and the page they stood on, which are kept as evidence.',
        { text: 'You may call me about this truck.', page: 'https://dealer.example/trucks/U10482' },
      ),
    ),
    intent: z.optional(
      about(members.intent, 'What the visitor asks for: one of GET /v1/widget/forms.', 'trade_in'),
    ),
    details: z.optional(
      about(members.details, 'What that form asks beyond the members here.', {
        make: 'Peterbilt',
        model: '389',
        year: '2015',
      }),
    ),
    marketing: z.optional(
      about(
        members.marketing,
        'Only when the visitor ticked the box for text messages that advertise: its words and page, kept as evidence.',
        { text: 'Text me offers, too.', page: 'https://dealer.example/trucks/U10482' },
      ),
    ),
    company: z.optional(
      about(z.string(), 'Trap for robots: a field that people do not see. Leave it empty.', ''),
    ),
    visit: z.optional(
      about(members.visit, '`visit` of the first answer of GET /v1/widget/inventory in this page view.'),
    ),
    proof: z.optional(
      about(
        members.proof,
        'Only after a 429 with `details.challenge`: its token, and a nonce for which SHA-256(`token.nonce`) begins with `difficulty` zero bits.',
      ),
    ),
  }),
);

export const LeadCaptured = named(
  'LeadCaptured',
  z.object({ leadId: z.string(), conversationId: z.string() }),
  'The enquiry is stored, as a lead or as an update of one, and on its way to the dealer.',
);
