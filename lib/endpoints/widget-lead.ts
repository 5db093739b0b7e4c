import { LeadBody, LeadCaptured, LeadParams } from '../contract/widget/widget-lead.ts';
import { endpoint, parsedAs } from '../http/endpoint.ts';

export const postWidgetLead = endpoint({
  id: 'postWidgetLead',
  method: 'POST',
  path: '/v1/widget/lead',
  tag: 'Widget',
  summary: 'Leave one’s details for the dealer',
  description:
    'At least one of `email` and `phone`. One lead per conversation: a repeat is ALREADY_CAPTURED, which a client may take for success. A lead that looks like a robot’s is kept and flagged; an address that leaves many is given a task first (`details.challenge` of the 429).',
  guard: 'widget',
  widget: {
    dealerOf: ({ body }) => body.dealerSlug,
    perAddress: { name: 'widget-leads', limit: 30, windowSeconds: 600 },
    bots: 'served',
  },
  body: LeadBody,
  bodyCode: 'INVALID_BODY',
  errors: ['INVALID_BODY', 'INVALID_PARAMS', 'ALREADY_CAPTURED'],
  answers: { 201: LeadCaptured },
  async handle({ ctx, body }) {
    const { captureLead } = await import('../services/leads/capture-lead.ts');
    const params = parsedAs(LeadParams, body, 'INVALID_PARAMS');
    return { status: 201, body: await captureLead(ctx, { ...body, ...params }) };
  },
});
