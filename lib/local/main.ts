import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { EnvError } from '../env.ts';
import { DataDirTaken } from './data-dir.ts';
import { PortTaken } from './server.ts';
import { type RunningService, startService } from './service.ts';
import { endOnSignals } from './signals.ts';

/** `npm start`: the service on this machine, with embedded defaults for whatever the environment does not name. */

let service: RunningService | undefined;
let ended = false;
endOnSignals(async () => {
  ended = true;
  await service?.stop();
});

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  service = await startService();
  if (ended) await service.stop();
  else console.log(banner(service));
} catch (error) {
  console.error(reasonOf(error));
  process.exit(1);
}

function banner({ url, adminToken, adminTokenFile, data }: RunningService): string {
  const shown = adminTokenFile === null ? null : relative('.', adminTokenFile);
  const kept =
    shown === null ? 'for this run only' : `kept in ${shown.startsWith('..') ? adminTokenFile : shown}`;
  const given = adminTokenFile === null && !data.startsWith('in memory');
  return [
    '',
    `  Commercial Truck Inventory Service  ${url}`,
    `  Docs         ${url}/docs`,
    `  Data         ${data}`,
    ...(given ? [] : [`  ADMIN_TOKEN  (generated, ${kept}): ${adminToken}`]),
    '  Stop         Ctrl+C',
    '',
  ].join('\n');
}

/** One line for what the user can put right; a stack only for a fault of ours. */
function reasonOf(error: unknown): string {
  if (error instanceof EnvError || error instanceof DataDirTaken || error instanceof PortTaken)
    return error.message;
  return `The service could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
