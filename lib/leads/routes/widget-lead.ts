import { endpoint, parseWith } from '../../http/endpoint.ts';
import { WidgetQuery } from '../../search/widget/widget.ts';
import { LeadBody, LeadCaptured, LeadParams } from '../schemas/widget-lead.ts';

export const postWidgetLead = endpoint({
  id: 'postWidgetLead',
  boundToDealer: true,
  method: 'POST',
  path: '/v1/widget/lead',
  tag: 'Widget',
  summary: 'Leave one’s details for the dealer',
  description:
    'At least one of `email` and `phone` that can be read; the other is then handed to the dealer as it was written. A conversation has one lead: another enquiry (other words, another truck, another phone) is added to it and sent to the dealer at once (200); the same enquiry again is ALREADY_CAPTURED, which a client may take for success. A lead that looks like a robot’s is kept and flagged; an address that leaves many is given a task first (`details.challenge` of the 429).',
  guard: 'widget',
  widget: {
    readDealer: ({ body }) => body.dealerSlug,
    perAddress: { name: 'widget-leads', limit: 30, windowSeconds: 600 },
    bots: 'served',
  },
  query: WidgetQuery,
  body: LeadBody,
  bodyCode: 'INVALID_BODY',
  errors: ['INVALID_BODY', 'INVALID_PARAMS', 'ALREADY_CAPTURED'],
  answers: { 200: LeadCaptured, 201: LeadCaptured },
  async handle({ ctx, body }) {
    const { captureLead } = await import('../capture.ts');
    const params = parseWith(LeadParams, body, 'INVALID_PARAMS');
    const { outcome, ...captured } = await captureLead(ctx, { ...body, ...params });
    return { status: outcome === 'captured' ? 201 : 200, body: captured };
  },
});
