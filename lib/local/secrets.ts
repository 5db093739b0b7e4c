import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { keepSecret } from './data-dir.ts';

/** What the service needs and generates itself when it runs on one machine and nobody set it. */
const GENERATED = {
  ADMIN_TOKEN: () => randomBytes(24).toString('base64url'),
  CRON_SECRET: () => randomBytes(24).toString('base64url'),
  FEED_SECRET_KEY: () => randomBytes(32).toString('base64'),
} as const satisfies Record<string, () => string>;

export interface LocalSecrets {
  /** Those that were unset, ready to be put into the environment. */
  values: Record<string, string>;
  /** Where each is kept. */
  files: Record<string, string>;
}

/** The secrets missing from `env`, from the data folder or newly made into it. */
export function localSecrets(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): LocalSecrets {
  const values: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const [name, make] of Object.entries(GENERATED)) {
    if (env[name]?.trim()) continue;
    values[name] = keepSecret(dataDir, name, make);
    files[name] = join(resolve(dataDir), 'secrets', name);
  }
  return { values, files };
}
