import { runWrite } from '../../http/dry-run.ts';
import { endpoint } from '../../http/endpoint.ts';
import { DryRunQuery } from '../../truck/json.ts';
import { listDealers, readDealer, removeDealer } from './dealers.ts';
import { changeDealer, saveDealer } from './save-dealer.ts';
import {
  DealerAnswer,
  DealerCreate,
  DealerPatch,
  DealersAnswer,
  DealersQuery,
  SavedDealerAnswer,
  SlugParams,
  TestLeadAnswer,
  TestLeadQuery,
} from './schemas.ts';

const seller = { tag: 'Dealers', guard: 'secret-key', bucket: 'requests' } as const;

export const postDealers = endpoint({
  ...seller,
  id: 'postDealers',
  method: 'POST',
  path: '/v1/dealers',
  summary: 'Create or update a dealer',
  description: 'A slug the account already has updates that dealer (200); a new slug creates one (201).',
  query: DryRunQuery,
  body: DealerCreate,
  idempotent: true,
  errors: ['INVALID_PAYLOAD'],
  answers: { 200: SavedDealerAnswer, 201: SavedDealerAnswer },
  async handle({ ctx, query, body }) {
    const { created, dealer, ...mark } = await runWrite(ctx, query.dry_run, (bound) =>
      saveDealer(bound, body),
    );
    return { status: created && !mark.dry_run ? 201 : 200, body: toAnswer({ ...dealer, ...mark }) };
  },
});

export const patchDealers = endpoint({
  ...seller,
  id: 'patchDealers',
  boundToDealer: true,
  method: 'PATCH',
  path: '/v1/dealers',
  summary: 'Change a dealer',
  description: 'Changes the fields that are sent; null clears one.',
  query: DryRunQuery,
  body: DealerPatch,
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: SavedDealerAnswer },
  handle: async ({ ctx, query, body }) => ({
    status: 200,
    body: toAnswer(await runWrite(ctx, query.dry_run, (bound) => changeDealer(bound, body))),
  }),
});

export const getDealers = endpoint({
  ...seller,
  id: 'getDealers',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/dealers',
  summary: 'List the account’s dealers',
  query: DealersQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: DealersAnswer },
  handle: async ({ ctx, query }) => ({ status: 200, body: await listDealers(ctx, query) }),
});

export const getDealer = endpoint({
  ...seller,
  id: 'getDealer',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/dealers/{slug}',
  summary: 'Read a dealer',
  params: SlugParams,
  errors: ['NOT_FOUND'],
  answers: { 200: DealerAnswer },
  handle: async ({ ctx, params }) => ({ status: 200, body: await readDealer(ctx, params.slug) }),
});

export const deleteDealer = endpoint({
  ...seller,
  id: 'deleteDealer',
  method: 'DELETE',
  path: '/v1/dealers/{slug}',
  summary: 'Remove a dealer',
  description:
    'Removes a dealer that no listing or feed names (else `in_use`). Its leads are kept. Needs the scope `leads` too if the dealer has a `lead_email` or `lead_webhook_url`.',
  params: SlugParams,
  query: DryRunQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 204: null },
  async handle({ ctx, params, query }) {
    await runWrite(ctx, query.dry_run, (bound) => removeDealer(bound, params.slug));
    return { status: 204, body: '' };
  },
});

export const postTestLead = endpoint({
  ...seller,
  id: 'postTestLead',
  boundToDealer: true,
  scope: 'leads',
  method: 'POST',
  path: '/v1/dealers/{slug}/test-lead',
  summary: 'Send a test lead to a dealer',
  description:
    'Sends a made-up lead like a real one, waits, and returns the outcome; for a webhook also the signed request and the receiver’s response. Stores no lead. Counts as a call of the webhook: 20 an hour until it has answered with 2xx.',
  params: SlugParams,
  query: TestLeadQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: TestLeadAnswer },
  async handle({ ctx, params, query }) {
    const { sendTestLead } = await import('../../leads/delivery/test-lead.ts');
    return { status: 200, body: await sendTestLead(ctx, params.slug, query.kind) };
  },
});

/** A dry run makes a webhook secret too, and forgets it. */
const toAnswer = <Saved extends { dry_run?: true; lead_webhook_secret?: string }>(saved: Saved) => ({
  ...saved,
  lead_webhook_secret: saved.dry_run ? undefined : saved.lead_webhook_secret,
});
