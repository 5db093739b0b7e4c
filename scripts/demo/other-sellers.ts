import { BatchAnswer } from '../../lib/contract/inventory.ts';
import { client } from './client.ts';
import { dealerFile } from './dealer-file.ts';
import { newAccount } from './new-account.ts';

/** Sellers beside the demo's own: a market has figures from three others on. */
const NAMES = ['Lone Star Equipment', 'Prairie Commercial', 'Gulf Coast Trucks', 'Front Range Fleet'];
const TRUCKS = 200;

/** Makes their accounts and lists their trucks; returns how many trucks they have. */
export async function addOtherSellers(url: string, adminToken: string, currentYear: number): Promise<number> {
  for (const [index, name] of NAMES.entries()) {
    const { key } = await newAccount(url, adminToken, { name, tier: 'starter' });
    await client(url, key).call({
      method: 'POST',
      path: '/v1/inventory?return=summary',
      body: { records: dealerFile({ trucks: TRUCKS, seed: index + 2, currentYear, faulty: 0 }) },
      answer: BatchAnswer,
    });
  }
  return NAMES.length * TRUCKS;
}
