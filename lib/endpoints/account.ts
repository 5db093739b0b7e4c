import { OwnAccountAnswer } from '../contract/accounts/own-account.ts';
import { endpoint } from '../http/endpoint.ts';
import { readOwnAccount } from '../services/accounts/read-own-account.ts';
import { BUCKETS } from '../services/fair-use.ts';

export const getOwnAccount = endpoint({
  id: 'getOwnAccount',
  method: 'GET',
  path: '/v1/account',
  tag: 'Account',
  summary: 'Read the account: tier, limits, usage, counts',
  guard: 'secret-key',
  bucket: 'requests',
  errors: [],
  answers: { 200: OwnAccountAnswer },
  handle: async ({ ctx }) => ({ status: 200, body: await readOwnAccount(ctx, BUCKETS) }),
});
