import { endpoint } from '../../http/endpoint.ts';
import { PageQuery } from '../../truck/json.ts';
import { createKey, listKeys, revokeKey } from '../keys/keys.ts';
import { invitePerson, makeOperatorLink } from '../people/invite.ts';
import { changeAccount, createAccount, listAccounts, readAccount } from './accounts.ts';
import {
  AccountAnswer,
  AccountCreate,
  AccountPatch,
  AccountsAnswer,
  IdParams,
  KeyCreate,
  KeysAnswer,
  KeysQuery,
  NewKeyAnswer,
  SignInLinkAnswer,
  SignInLinkCreate,
} from './schemas.ts';

const operator = { tag: 'Operator', guard: 'operator' } as const;

export const postAccounts = endpoint({
  ...operator,
  id: 'postAccounts',
  method: 'POST',
  path: '/api/admin/accounts',
  summary: 'Create an account',
  body: AccountCreate,
  errors: ['INVALID_PAYLOAD'],
  answers: { 201: AccountAnswer },
  handle: async ({ ctx, body }) => ({ status: 201, body: await createAccount(ctx, body) }),
});

export const getAccounts = endpoint({
  ...operator,
  id: 'getAccounts',
  method: 'GET',
  path: '/api/admin/accounts',
  summary: 'List accounts',
  query: PageQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: AccountsAnswer },
  handle: async ({ ctx, query }) => ({ status: 200, body: await listAccounts(ctx, '', query) }),
});

export const getAccount = endpoint({
  ...operator,
  id: 'getAccount',
  method: 'GET',
  path: '/api/admin/accounts/{id}',
  summary: 'Read an account',
  params: IdParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: AccountAnswer },
  handle: async ({ ctx, params }) => ({ status: 200, body: await readAccount(ctx, params.id) }),
});

export const patchAccount = endpoint({
  ...operator,
  id: 'patchAccount',
  method: 'PATCH',
  path: '/api/admin/accounts/{id}',
  summary: 'Change an account: name, tier, limits, suspension',
  params: IdParams,
  body: AccountPatch,
  errors: ['INVALID_PARAMS', 'INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: AccountAnswer },
  handle: async ({ ctx, params, body }) => ({ status: 200, body: await changeAccount(ctx, params.id, body) }),
});

export const postKeys = endpoint({
  ...operator,
  id: 'postKeys',
  method: 'POST',
  path: '/api/admin/keys',
  summary: 'Create an API key',
  body: KeyCreate,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 201: NewKeyAnswer },
  handle: async ({ ctx, body }) => ({ status: 201, body: await createKey(ctx, body.account_id, body, null) }),
});

export const getKeys = endpoint({
  ...operator,
  id: 'getKeys',
  method: 'GET',
  path: '/api/admin/keys',
  summary: 'List an account’s keys',
  query: KeysQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: KeysAnswer },
  handle: async ({ ctx, query }) => ({ status: 200, body: await listKeys(ctx, query.account_id) }),
});

export const deleteKey = endpoint({
  ...operator,
  id: 'deleteKey',
  method: 'DELETE',
  path: '/api/admin/keys/{id}',
  summary: 'Revoke a key',
  description: 'Takes effect at once in this process, and everywhere within 5 seconds.',
  params: IdParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 204: null },
  async handle({ ctx, params }) {
    await revokeKey(ctx, params.id, null);
    return { status: 204, body: '' };
  },
});

export const postSignInLinks = endpoint({
  ...operator,
  id: 'postSignInLinks',
  method: 'POST',
  path: '/api/admin/sign-in-links',
  summary: 'Make a link that signs in to the dashboard once',
  description:
    'With `account_id` and `email`, it adds that person to the account and signs them in; without both, it signs in the operator. For invitations, and if no mail server is configured.',
  body: SignInLinkCreate,
  errors: ['INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 201: SignInLinkAnswer },
  async handle({ ctx, body: { account_id, email, role } }) {
    if (account_id === undefined || email === undefined)
      return { status: 201, body: { ...(await makeOperatorLink(ctx)), person: null } };
    const { accountName: _, ...link } = await invitePerson(ctx, account_id, { email, role });
    return { status: 201, body: link };
  },
});
