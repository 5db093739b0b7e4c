import { connectTo, createPorts } from '../../lib/connect.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import { readEnv } from '../../lib/env.ts';
import { createApp } from '../../lib/local/app.ts';
import { startCluster } from '../../scripts/bench/postgres.ts';

const ADMIN_TOKEN = 'truth-admin-token-0123456789';

/** The service on a database of its own, with one account: what probes are sent to. */
export interface ProbedService {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  call(method: string, path: string, json?: unknown): Promise<any>;
  close(): Promise<void>;
}

export async function startProbedService(): Promise<ProbedService> {
  const cluster = await startCluster('ctis-truth-');
  const sql = openPg({ url: cluster.url });
  await migrate(sql);
  const env = readEnv({ ADMIN_TOKEN, DATA_DIR: cluster.folder, VERCEL: '1' });
  connectTo({ ...createPorts(env, sql), log: { write: () => undefined } });
  const app = createApp();
  const request = async (token: string, method: string, path: string, json?: unknown) => {
    const headers = { authorization: `Bearer ${token}` };
    const body = json === undefined ? null : JSON.stringify(json);
    const response = await app.fetch(new Request(`http://trucks.test${path}`, { method, headers, body }));
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const account = await request(ADMIN_TOKEN, 'POST', '/api/admin/accounts', {
    name: 'Truth Trucks',
    tier: 'pro',
    limit_multiplier: 100,
  });
  const { key } = await request(ADMIN_TOKEN, 'POST', '/api/admin/keys', {
    account_id: account.id,
    kind: 'secret',
  });
  return {
    call: (method, path, json) => request(key, method, path, json),
    close: () => sql.close().then(cluster.stop),
  };
}
