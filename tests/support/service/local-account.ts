// Loaded before a service connects: a process that loads it meanwhile may miss its database's answer.
import '../../../lib/local/app.ts';
import type { RunningService } from '../../../lib/local/service.ts';

/** A new account of a service that runs on this machine, with high limits; returns its secret key. */
export async function createKey({ url, adminToken }: Pick<RunningService, 'url' | 'adminToken'>) {
  const send = async (path: string, json: object) => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(json) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, string>;
  };
  const account = await send('/api/admin/accounts', { name: 'Client', tier: 'pro', limit_multiplier: 100 });
  const key = await send('/api/admin/keys', { account_id: account.id, kind: 'secret' });
  return key.key ?? '';
}
