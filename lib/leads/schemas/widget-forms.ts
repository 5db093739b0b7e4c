import * as z from 'zod/mini';
import { localeParameter, widgetQuery } from '../../search/widget/widget.ts';
import { about, named } from '../../truck/json.ts';
import { FIELD_TYPES, INTENTS } from './intents.ts';

/** Schemas of GET /v1/widget/forms. */

export const WidgetFormsQuery = z.strictObject({ ...widgetQuery, locale: localeParameter });

const Option = z.object({ value: z.string(), label: z.string() });

export const WidgetFormsAnswer = named(
  'WidgetForms',
  z.object({
    forms: z.array(
      z.object({
        intent: about(z.enum(INTENTS), 'Send it as `intent` of the lead.'),
        name: z.string(),
        fields: about(
          z.array(
            z.object({
              name: about(z.string(), 'Member of the lead’s `details`.', 'down_payment'),
              label: z.string(),
              type: z.enum(FIELD_TYPES),
              required: z.boolean(),
              options: z.optional(z.array(Option)),
            }),
          ),
          'Beside name, email, phone and message, which every form has.',
        ),
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
