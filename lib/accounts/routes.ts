import { endpoint } from '../http/endpoint.ts';
import { hideMembers } from '../http/guards/scopes.ts';
import { MEMBER_SCOPES } from './access.ts';
import { readOwnAccount } from './read-own-account.ts';
import { OwnAccountAnswer } from './schemas.ts';

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
    const account = await readOwnAccount(ctx);
    const counts = hideMembers(ctx, MEMBER_SCOPES.counts, account.counts);
    const usage = hideMembers(ctx, MEMBER_SCOPES.usage, account.usage);
    return { status: 200, body: { ...account, usage, counts } };
  },
});
