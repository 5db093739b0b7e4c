import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the project: scripts that build Citus for Debian's PostgreSQL 15 and start a cluster of it. */
export const CITUS_SOURCE = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'citus');

/** Where the service suites find a cluster. */
export const hasCitus = (): boolean =>
  process.env.CITUS_URL !== undefined ||
  (existsSync(join(CITUS_SOURCE, 'cluster.sh')) && existsSync('/usr/lib/postgresql/15/lib/citus.so'));
