import * as z from 'zod/mini';
import { about, IsoTime, named } from '../../truck/json.ts';
import { LeadAnswer } from './leads.ts';

/** What is posted to a dealer's `lead_webhook_url`. */

const { delivery: _, updates, ...shown } = LeadAnswer.shape;
const { delivery: __, ...shownUpdate } = updates.def.element.shape;

const LeadOfEvent = z.object({ ...shown, updates: z.array(z.object(shownUpdate)) });

export const LeadEvent = named(
  'LeadEvent',
  z.object({
    type: about(
      z.enum(['lead.created', 'lead.updated']),
      '`lead.updated`: a later enquiry of the same visitor.',
    ),
    timestamp: IsoTime,
    data: LeadOfEvent,
  }),
  'A lead, as `GET /v1/leads` shows it but for its delivery.',
);

export const PingEvent = named(
  'PingEvent',
  z.object({
    type: z.literal('ping'),
    timestamp: IsoTime,
    data: z.object({ dealer: about(z.string(), 'Slug.') }),
  }),
  'Sent once when `lead_webhook_url` is set; answer 2xx.',
);
