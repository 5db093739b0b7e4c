import { endpoint, parseWith } from '../../http/endpoint.ts';
import { WidgetQuery } from '../../search/widget/widget.ts';
import {
  LeadBody,
  LeadCaptured,
  LeadParams,
  WidgetFormsAnswer,
  WidgetFormsQuery,
} from '../schemas/widget.ts';

export const postWidgetLead = endpoint({
  id: 'postWidgetLead',
  boundToDealer: true,
  method: 'POST',
  path: '/v1/widget/lead',
  tag: 'Widget',
  summary: 'Submit a lead',
  description:
    'Needs a readable `email` or `phone`; the other is passed on as written. A conversation has one lead: a further enquiry (another message, truck or phone) is added to it and sent to the dealer at once (200). Repeating an enquiry returns ALREADY_CAPTURED, which a client may treat as success. A lead that looks like spam is kept and flagged; an address that sends many must solve a challenge first (`details.challenge` of the 429).',
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

export const getWidgetForms = endpoint({
  id: 'getWidgetForms',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/widget/forms',
  tag: 'Widget',
  summary: 'List the lead forms',
  description:
    'Returns the forms by intent (availability, best price, finance, trade-in, appointment, delivery) with their fields in the visitor’s language. None asks for a social security number. Browsers may cache an answer for 30 seconds.',
  guard: 'widget',
  widget: {
    readDealer: ({ query }) => query.dealerSlug,
    perAddress: { name: 'widget-forms', limit: 120, windowSeconds: 60 },
    bots: 'served',
  },
  query: WidgetFormsQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: WidgetFormsAnswer },
  async handle({ query }) {
    const { describeForms } = await import('../forms.ts');
    const headers = { 'Cache-Control': 'private, max-age=30' };
    return { status: 200, body: describeForms(query), headers };
  },
});
