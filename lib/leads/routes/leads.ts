import { endpoint } from '../../http/endpoint.ts';
import { answerCsv, CSV } from '../../http/safe-csv.ts';
import { deliverAfterAnswer } from '../delivery/deliver.ts';
import { exportLeads, LEADS_FILE } from '../export.ts';
import { changeLead, eraseLead, listLeads, readLead, retryDeliveries } from '../leads.ts';
import { LeadAnswer, LeadParams, LeadPatch, LeadsAnswer, LeadsQuery } from '../schemas/leads.ts';

const seller = { tag: 'Leads', guard: 'secret-key', bucket: 'requests' } as const;
/** What is asked of one lead. */
const oneLead = { ...seller, path: '/v1/leads/{id}', params: LeadParams, paramsCode: 'NOT_FOUND' } as const;

export const getLeads = endpoint({
  ...seller,
  id: 'getLeads',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/leads',
  summary: 'List the account’s leads',
  description: 'Returns leads, newest first. `email` and `phone` find all leads of a person.',
  query: LeadsQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: LeadsAnswer },
  media: [CSV],
  headers: {
    'Content-Disposition': ['With `csv`: the name of the file.', 'attachment; filename="leads.csv"'],
    'x-next-cursor': ['With `csv`: the `cursor` of the next page; absent on the last.', 'bGVhZF8wMWEyMDcx'],
  },
  async handle({ ctx, query }) {
    if (query.format === 'json') return { status: 200, body: await listLeads(ctx, query) };
    const { text, next_cursor } = await exportLeads(ctx, query);
    const next = next_cursor === null ? {} : { 'x-next-cursor': next_cursor };
    return answerCsv(LEADS_FILE, new TextEncoder().encode(text), next);
  },
});

export const getLead = endpoint({
  ...oneLead,
  id: 'getLead',
  boundToDealer: true,
  method: 'GET',
  summary: 'Read a lead',
  description: 'Returns the lead with its transcript, consent, updates and deliveries.',
  errors: ['NOT_FOUND'],
  answers: { 200: LeadAnswer },
  handle: async ({ ctx, params }) => ({ status: 200, body: await readLead(ctx, params.id) }),
});

export const postLeadDeliveries = endpoint({
  ...oneLead,
  id: 'postLeadDeliveries',
  boundToDealer: true,
  method: 'POST',
  path: '/v1/leads/{id}/deliveries',
  summary: 'Retry the delivery of a lead',
  description:
    'Retries every delivery that has not succeeded, dead ones included, and delivers by the methods that the dealer added since. What was delivered is not sent again. Repeating the call is harmless.',
  errors: ['NOT_FOUND'],
  answers: { 202: LeadAnswer },
  async handle({ ctx, params }) {
    const lead = await retryDeliveries(ctx, params.id);
    deliverAfterAnswer(ctx);
    return { status: 202, body: lead, headers: { Location: `/v1/leads/${lead.id}` } };
  },
});

export const patchLead = endpoint({
  ...oneLead,
  id: 'patchLead',
  method: 'PATCH',
  summary: 'Update a lead’s status',
  // Repeating it is harmless, and an answer that is kept for an Idempotency-Key would outlive an erasure.
  body: LeadPatch,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: LeadAnswer },
  handle: async ({ ctx, params, body }) => ({ status: 200, body: await changeLead(ctx, params.id, body) }),
});

export const deleteLead = endpoint({
  ...oneLead,
  id: 'deleteLead',
  method: 'DELETE',
  summary: 'Erase a lead',
  description:
    'Erases the personal data, transcript, evidence and conversation, and cancels what is still to be sent. The dealer erases what was already delivered.',
  errors: ['NOT_FOUND'],
  answers: { 204: null },
  async handle({ ctx, params }) {
    await eraseLead(ctx, params.id);
    return { status: 204, body: '' };
  },
});
