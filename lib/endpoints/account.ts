import { MEMBER_SCOPES } from '../contract/accounts/access.ts';
import { OwnAccountAnswer } from '../contract/accounts/own-account.ts';
import { endpoint } from '../http/endpoint.ts';
import { readOwnAccount } from '../services/accounts/read-own-account.ts';
import { BUCKETS } from '../services/fair-use.ts';
import { hideMembers } from '../services/scopes.ts';

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
  async handle({ ctx }) {
    const account = await readOwnAccount(ctx, BUCKETS);
    const counts = hideMembers(ctx, MEMBER_SCOPES.counts, account.counts);
    const usage = hideMembers(ctx, MEMBER_SCOPES.usage, account.usage);
    return { status: 200, body: { ...account, usage, counts } };
  },
});
