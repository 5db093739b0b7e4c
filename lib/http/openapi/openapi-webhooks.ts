import type * as z from 'zod/mini';
import { LeadEvent, PingEvent } from '../../leads/schemas/leads.ts';
import type { Convert, JsonObject } from './json-schema.ts';

/** The `webhooks` of the document: what the service itself sends. */
export function describeWebhooks(convert: Convert): JsonObject {
  const webhook = (event: z.ZodMiniType, operationId: string, summary: string, description: string) => ({
    post: {
      operationId,
      summary,
      description,
      tags: ['Leads'],
      security: [{}],
      parameters: SIGNATURE,
      requestBody: { required: true, content: { 'application/json': { schema: convert(event, 'answer') } } },
      responses: {
        '2XX': { description: 'Done.' },
        '410': { description: 'No retries.' },
        '4XX': { description: 'Retried later.' },
        '5XX': { description: 'Retried later.' },
      },
    },
  });
  return {
    lead: webhook(
      LeadEvent,
      'receiveLead',
      'A lead, or a later enquiry of the same visitor',
      'Sent at least once to the dealer’s `lead_webhook_url`: deduplicate by `webhook-id`. Any 2xx within 10 seconds accepts it, 410 stops it, and anything else is retried for three days.',
    ),
    ping: webhook(
      PingEvent,
      'receivePing',
      'A webhook was set',
      'Sent when the URL is set, so that you see whether it works; a 2xx confirms it.',
    ),
  };
}

const header = (name: string, description: string, type: string, example: unknown) => ({
  name,
  in: 'header',
  required: true,
  description,
  example,
  schema: { type },
});

/** Standard Webhooks: the signature is of `<id>.<timestamp>.<body>` under the dealer's `lead_webhook_secret`. */
const SIGNATURE = [
  header('webhook-id', 'The same on every try.', 'string', 'msg_lead_019bc1a7e2c05f2b8c1e9d04a7b3'),
  header('webhook-timestamp', 'Seconds since the epoch, of this try.', 'integer', 1768469400),
  header(
    'webhook-signature',
    'HMAC-SHA256 signature of Standard Webhooks: `v1,<base64>`.',
    'string',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
