import {
  DealerCreate,
  DealerPatch,
  DealersAnswer,
  DealersQuery,
  SavedDealerAnswer,
} from '../contract/dealers.ts';
import { endpoint } from '../http/endpoint.ts';
import { changeDealer, listDealers, saveDealer } from '../services/accounts/dealers.ts';

export const postDealers = endpoint({
  id: 'postDealers',
  method: 'POST',
  path: '/v1/dealers',
  tag: 'Dealers',
  summary: 'Create a dealer',
  description: 'One’s own slug again updates that dealer (200).',
  guard: 'secret-key',
  bucket: 'requests',
  body: DealerCreate,
  idempotent: true,
  errors: ['INVALID_PAYLOAD'],
  answers: { 200: SavedDealerAnswer, 201: SavedDealerAnswer },
  async handle({ ctx, body }) {
    const { dealer, created } = await saveDealer(ctx, body);
    return { status: created ? 201 : 200, body: dealer };
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
  body: DealerPatch,
  idempotent: true,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: SavedDealerAnswer },
  handle: async ({ ctx, body }) => ({ status: 200, body: await changeDealer(ctx, body) }),
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
