import { join } from 'node:path';
import { createPlatform } from '../../lib/local/platform/platform.ts';
import { startServer } from '../../lib/local/server.ts';
import { endOnSignals } from '../../lib/local/signals.ts';

/** Serves the fixture tree in a process of its own, on any free port, which it prints. */
const root = join(import.meta.dirname, 'fixture');
const log = (entry: Record<string, unknown>) => console.log(JSON.stringify(entry));
const platform = await createPlatform({ root, log });
const server = await startServer({ platform, host: '127.0.0.1', port: 0 });
endOnSignals(async () => {
  const complete = await server.close();
  console.log(complete ? 'closed' : 'cut');
});
console.log(`listening ${server.port}`);
