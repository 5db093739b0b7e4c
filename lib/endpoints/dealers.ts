import {
  DealerCreate,
  DealerPatch,
  DealersAnswer,
  DealersQuery,
  SavedDealerAnswer,
} from '../contract/dealers.ts';
import { DryRunQuery } from '../contract/json.ts';
import { endpoint } from '../http/endpoint.ts';
import { changeDealer, listDealers, saveDealer } from '../services/accounts/dealers.ts';
import { runWrite } from '../services/rehearse.ts';

export const postDealers = endpoint({
  id: 'postDealers',
  method: 'POST',
  path: '/v1/dealers',
  tag: 'Dealers',
  summary: 'Create a dealer',
  description: 'One’s own slug again updates that dealer (200).',
  guard: 'secret-key',
  bucket: 'requests',
  query: DryRunQuery,
  body: DealerCreate,
  idempotent: true,
  errors: ['INVALID_PAYLOAD'],
  answers: { 200: SavedDealerAnswer, 201: SavedDealerAnswer },
  async handle({ ctx, query, body }) {
    const { created, dealer, ...mark } = await runWrite(ctx, query.dry_run, (own) => saveDealer(own, body));
    return {
      status: created && !mark.dry_run ? 201 : 200,
      body: withoutUnstoredSecret({ ...dealer, ...mark }),
    };
  },
});

export const patchDealers = endpoint({
  id: 'patchDealers',
  method: 'PATCH',
  path: '/v1/dealers',
  tag: 'Dealers',
  summary: 'Change a dealer',
  description: 'Changes the fields that are sent; null clears one.',
  guard: 'secret-key',
  bucket: 'requests',
  query: DryRunQuery,
  body: DealerPatch,
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: SavedDealerAnswer },
  handle: async ({ ctx, query, body }) => ({
    status: 200,
    body: withoutUnstoredSecret(await runWrite(ctx, query.dry_run, (own) => changeDealer(own, body))),
  }),
});

export const getDealers = endpoint({
  id: 'getDealers',
  method: 'GET',
  path: '/v1/dealers',
  tag: 'Dealers',
  summary: 'List the account’s dealers',
  guard: 'secret-key',
  bucket: 'requests',
  query: DealersQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: DealersAnswer },
  handle: async ({ ctx, query }) => ({ status: 200, body: await listDealers(ctx, query) }),
});

/** A dry run makes a webhook secret too, and forgets it. */
function withoutUnstoredSecret<Saved extends { dry_run?: true; lead_webhook_secret?: string }>(saved: Saved) {
  const { lead_webhook_secret: secret, ...dealer } = saved;
  return secret === undefined || saved.dry_run ? dealer : saved;
}
