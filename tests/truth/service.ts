import { startService } from '../../lib/local/service.ts';
import { startCluster } from '../../scripts/bench/postgres.ts';
import { createKey } from '../support/service/local-account.ts';

/** The service on a database of its own, with one account: what probes are sent to. */
export type ProbedService = Awaited<ReturnType<typeof startProbedService>>;

export async function startProbedService() {
  const { url, folder, stop } = await startCluster('ctis-truth-');
  const env = { PORT: '0', LOG: 'silent', DATA_DIR: folder, POSTGRES_URL: url };
  const service = await startService({ env });
  const headers = { authorization: `Bearer ${await createKey(service)}` };
  return {
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    async call(method: string, path: string, json?: unknown): Promise<any> {
      const body = json === undefined ? null : JSON.stringify(json);
      const response = await fetch(service.url + path, { method, headers, body });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    close: () => service.stop().then(stop),
  };
}
