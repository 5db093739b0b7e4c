import { existsSync } from 'node:fs';
import { EnvError } from '../env.ts';
import { Unavailable } from '../outside/faults.ts';
import { type RunningService, startService } from './service.ts';
import { endOnSignals } from './signals.ts';
import { StartFault } from './start-fault.ts';

/**
 * `npm start`: the service on this machine, with a database and folders of its own for whatever the environment does not name.
 * `-- --no-docs` does not build the docs site.
 */

let service: RunningService | undefined;
endOnSignals(async () => service?.stop());

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  service = await startService({ docs: !process.argv.includes('--no-docs') });
  // Secrets are printed on a terminal only: other readers of stdout often store it.
  console.log(banner(service, process.stdout.isTTY ? await makeSignInLink(service) : null));
} catch (error) {
  console.error(describeFailure(error));
  process.exit(1);
}

/** Makes a link that signs in as the operator, once. */
async function makeSignInLink({ url, adminToken }: RunningService): Promise<string> {
  const response = await fetch(`${url}/api/admin/sign-in-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: '{}',
  });
  const { url: link }: { url: string } = await response.json();
  return link;
}

/** `signInLink`: null where secrets are not shown. */
function banner(service: RunningService, signInLink: string | null): string {
  const { url, data, adminToken, adminTokenFile } = service;
  const tokenSuffix = signInLink === null ? '' : `: ${adminToken}`;
  return [
    '',
    `  Commercial Truck Inventory Service  ${url}`,
    `  Dashboard    ${signInLink ?? `${url}/dashboard/sign-in/operator`}`,
    `               (${signInLink === null ? 'takes ADMIN_TOKEN' : 'signs in once, as the operator'})`,
    `  Docs         ${url}/docs`,
    `  Data         ${data}`,
    ...(adminTokenFile ? [`  ADMIN_TOKEN  (generated, kept in ${adminTokenFile})${tokenSuffix}`] : []),
    '  Stop         Ctrl+C',
    '',
  ].join('\n');
}

/** Describes what the user can put right in a line; a fault of ours with its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof EnvError || error instanceof StartFault) return error.message;
  const reason =
    error instanceof Unavailable
      ? `${error.message} (${error.cause}). Check POSTGRES_URL.`
      : error instanceof Error && error.stack;
  return `The service could not start: ${reason || error}`;
}
