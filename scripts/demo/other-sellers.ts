import { AccountAnswer, NewKeyAnswer } from '../../lib/contract/accounts/operator.ts';
import { BatchAnswer } from '../../lib/contract/inventory.ts';
import { client } from './client.ts';
import { dealerFile } from './dealer-file.ts';

/** Sellers beside the demo's own: a market has figures from three others on. */
const NAMES = ['Lone Star Equipment', 'Prairie Commercial', 'Gulf Coast Trucks', 'Front Range Fleet'];
const TRUCKS = 200;

/** Makes their accounts and lists their trucks; returns how many trucks they have. */
export async function addOtherSellers(url: string, adminToken: string, currentYear: number): Promise<number> {
  const operator = client(url, adminToken);
  for (const [index, name] of NAMES.entries()) {
    const { id } = await operator.call({
      method: 'POST',
      path: '/api/admin/accounts',
      body: { name: `${name} (demo)`, tier: 'starter' },
      answer: AccountAnswer,
    });
    const { key } = await operator.call({
      method: 'POST',
      path: '/api/admin/keys',
      body: { account_id: id, kind: 'secret' },
      answer: NewKeyAnswer,
    });
    await client(url, key).call({
      method: 'POST',
      path: '/v1/inventory?return=summary',
      body: { records: dealerFile({ trucks: TRUCKS, seed: index + 2, currentYear, faulty: 0 }) },
      answer: BatchAnswer,
    });
  }
  return NAMES.length * TRUCKS;
}
