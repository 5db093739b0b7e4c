import { AccountAnswer, NewKeyAnswer } from '../../lib/contract/accounts/operator.ts';
import { client } from './client.ts';

/** Makes an account of the demo with a secret key. */
export async function newAccount(
  url: string,
  adminToken: string,
  { name, tier }: { name: string; tier: 'starter' | 'pro' },
): Promise<{ id: string; key: string }> {
  const operator = client(url, adminToken);
  const { id } = await operator.call({
    method: 'POST',
    path: '/api/admin/accounts',
    body: { name: `${name} (demo)`, tier },
    answer: AccountAnswer,
  });
  const { key } = await operator.call({
    method: 'POST',
    path: '/api/admin/keys',
    body: { account_id: id, kind: 'secret' },
    answer: NewKeyAnswer,
  });
  return { id, key };
}
