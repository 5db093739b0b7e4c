import { randomBytes } from 'node:crypto';
import { keepSecret } from './data-dir.ts';

/** What the service needs and generates itself when it runs on one machine and nobody set it. */
const GENERATED: Readonly<Record<string, () => string>> = {
  ADMIN_TOKEN: () => randomBytes(24).toString('base64url'),
  CRON_SECRET: () => randomBytes(24).toString('base64url'),
  FEED_SECRET_KEY: () => randomBytes(32).toString('base64'),
};

/** The secrets missing from `env`, from the data folder or newly made into it. */
export function localSecrets(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): Record<string, string> {
  const missing = Object.entries(GENERATED).filter(([name]) => !env[name]?.trim());
  return Object.fromEntries(missing.map(([name, make]) => [name, keepSecret(dataDir, name, make)]));
}
