import * as z from 'zod/mini';
import { Card, storable, WidgetBody } from '../search/widget/widget.ts';
import { about, nameSchema } from '../truck/json.ts';

/** Schemas of POST /v1/widget/chat. */

/** Pages send what they have: null is as good as absent. */
const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

export const ChatBody = z.looseObject({
  ...WidgetBody.shape,
  conversationId: about(
    optional(storable(128)),
    'From an earlier answer. If absent or not this visitor’s, the visitor’s open conversation is used, else a new one.',
  ),
  vin: about(optional(storable(40)), 'VIN of the truck on the visitor’s page.', '3AKJHHDR0KSKA1234'),
  visit: about(
    optional(z.string().check(z.maxLength(200))),
    '`visit` of the first answer of GET /v1/widget/inventory. Required from the tenth message of an address in a day.',
  ),
  locale: about(
    optional(z.string().check(z.maxLength(40))),
    'Language of the answer: en, es or fr, with or without a region; anything else is English.',
    'es-MX',
  ),
});
export type ChatInput = z.output<typeof ChatBody>;

const conversationId = z.string();
const vehicles = about(z.array(Card), 'The trucks that the reply names, as in the inventory.');
const suggestions = about(z.array(z.string()), 'What the visitor may want to say next.', [
  'Show me similar trucks',
  'Have someone contact me',
]);
const leadCaptured = about(z.boolean(), 'The visitor left contact details in this conversation.');

export const ChatAnswer = nameSchema(
  'ChatAnswer',
  z.object({
    conversationId,
    reply: about(z.string(), 'Plain text of one or more sentences.'),
    vehicles,
    suggestions,
    leadCaptured,
  }),
  'What the assistant says.',
);
export type ChatAnswer = z.output<typeof ChatAnswer>;

const event = <Name extends string, Data extends z.ZodMiniType>(name: Name, data: Data) =>
  z.object({ event: z.literal(name), data });

export const ChatEvent = nameSchema(
  'ChatEvent',
  z.union([
    event('start', z.object({ conversationId })),
    event(
      'text',
      z.object({
        text: about(
          z.string(),
          'A segment of one or more sentences with its white space. Join segments in order.',
        ),
      }),
    ),
    event('vehicles', z.object({ vehicles })),
    event('suggestions', z.object({ suggestions })),
    event('done', z.object({ conversationId, leadCaptured })),
  ]),
  'A server-sent event of a streamed answer: `start`, `text` for each segment, `vehicles`, `suggestions`, `done`. Errors come before `start`, as ordinary answers.',
);
export type ChatEvent = z.output<typeof ChatEvent>;
