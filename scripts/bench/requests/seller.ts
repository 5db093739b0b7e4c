import { Connection, type RawAnswer, requestBytes } from '../connection.ts';

/** The bench's account at a running service, with as many keys as keep its load under the limits. */
export interface Seller {
  accountId: string;
  keys: readonly string[];
}

export const ADMIN_TOKEN = 'operator-of-the-bench';
export const DEALER = 'bench-trucks';
export const PROVIDER = 'bench-dms';
export const PATH = '/api/v1/inventory';

export async function newSeller(origin: string, keys: number): Promise<Seller> {
  const connection = await Connection.open(origin);
  const post = async (path: string, token: string, body: unknown) =>
    readMember(await connection.send(requestBytes('POST', path, token, body)), 201);
  const account = await post('/api/admin/accounts', ADMIN_TOKEN, {
    name: 'Bench Trucks',
    // Its answers carry no market position, which the bare handler does not look up either.
    tier: 'starter',
    limit_multiplier: 100,
  });
  const accountId = String(account.id);
  const made: string[] = [];
  for (let count = 0; count < keys; count++) {
    const { key } = await post('/api/admin/keys', ADMIN_TOKEN, { account_id: accountId, kind: 'secret' });
    made.push(String(key));
  }
  await post('/api/v1/dealers', made[0] ?? '', {
    slug: DEALER,
    name: 'Bench Trucks',
    city: 'Dallas',
    state: 'TX',
  });
  connection.close();
  return { accountId, keys: made };
}

/** The members of an answer's JSON object; throws unless its status is the one expected. */
export function readMember({ status, body }: RawAnswer, expected: number): Record<string, unknown> {
  if (status !== expected) throw new Error(`answered ${status}: ${body.slice(0, 500)}`);
  const value: unknown = JSON.parse(body);
  if (typeof value !== 'object' || value === null) throw new Error('the answer is no object');
  return { ...value };
}
