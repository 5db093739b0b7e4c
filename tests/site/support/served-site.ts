import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { ROOT } from '../../../scripts/docs/describe-service.ts';
import { openRehearsal } from '../../../scripts/docs/rehearsal.ts';
import { openEmbedded } from '../../support/processes/embedded.ts';

const run = promisify(execFile);

export interface ServedSite {
  url: string;
  /** Where it was built. */
  folder: string;
  /** Whether a file is below /docs. */
  has(path: string): boolean;
  close(): Promise<void>;
}

/** Builds the site once and serves it as the platform does: the files, and the service for everything else. */
export async function serveSite(): Promise<ServedSite> {
  const parent = await mkdtemp(join(tmpdir(), 'site-'));
  const folder = join(parent, 'docs');
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' };
  await run(process.execPath, [join(ROOT, 'scripts/docs/build-site.ts'), folder], { env });
  const rehearsal = await openRehearsal(await openEmbedded());
  const app = new Hono();
  app.use('/docs/*', serveStatic({ root: parent }));
  app.use('/openapi.json', serveStatic({ root: join(ROOT, 'public') }));
  app.all('*', ({ req }) => rehearsal.answer(req.raw));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    has: (path) => existsSync(join(parent, path)),
    async close() {
      server.close();
      await rehearsal.close();
      await rm(parent, { recursive: true });
    },
  };
}
