import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../../lib/local/app.ts';
import { startServer } from '../../../lib/local/server.ts';
import { buildSite } from '../../../scripts/docs/build-site.ts';
import { ROOT } from '../../../scripts/docs/deployment.ts';
import { openRehearsal } from '../../../scripts/docs/rehearsal.ts';
import { newDatabase } from '../../support/postgres/suite-database.ts';

export interface ServedSite {
  url: string;
  /** Where it was built. */
  folder: string;
  /** Whether a file is below /docs. */
  has(path: string): boolean;
  close(): Promise<void>;
}

/** Builds the site once; the local server serves it, and the service answers what is no file. */
export async function serveSite(): Promise<ServedSite> {
  const root = await mkdtemp(join(tmpdir(), 'site-'));
  const folder = join(root, 'public/docs');
  await cp(join(ROOT, 'public'), join(root, 'public'), {
    recursive: true,
    filter: (source) => source !== join(ROOT, 'public/docs'),
  });
  await buildSite(folder);
  const app = createApp(join(root, 'public'));
  const rehearsal = await openRehearsal(await newDatabase(), app);
  const server = await startServer({ fetch: rehearsal.answer, host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${server.port}`,
    folder,
    has: (path) => existsSync(join(root, 'public', path)),
    async close() {
      await server.close(0);
      await rehearsal.close();
      await rm(root, { recursive: true });
    },
  };
}
