import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterDeath } from '../processes/watchdog.ts';
import { isFree } from '../servers/ports.ts';

const run = promisify(execFile);
/** Beside the project: scripts that build Citus for Debian's PostgreSQL 15 and start a cluster of it. */
const SCRIPT = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'citus', 'cluster.sh');
const PG_CTL = '/usr/lib/postgresql/15/bin/pg_ctl';

export interface Cluster {
  /** A database on the coordinator. */
  url: string;
  /** Ends or starts the node that listens on this port. */
  stopNode(port: number): Promise<void>;
  startNode(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** The first of so many free ports in a row, below those that the system gives to outgoing connections. */
async function freePorts(count: number): Promise<number> {
  const first = 20_000 + Math.floor(Math.random() * 10_000);
  for (let port = first; port < first + count; port++) if (!(await isFree(port))) return freePorts(count);
  return first;
}

/** A coordinator and two workers of its own. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-citus-'));
  // The servers run as another user.
  await chmod(folder, 0o711);
  const nodes = join(folder, 'nodes');
  const first = await freePorts(3);
  const callOff = afterDeath(`bash '${SCRIPT}' stop "$1"; rm -rf '${folder}'`, nodes);
  const { stdout } = await run('bash', [SCRIPT, 'start', nodes, String(first)]);
  const control = async (port: number, command: string) => {
    const node = join(nodes, `n${port - first}`);
    await run('su', ['postgres', '-c', `${PG_CTL} -D ${node} -l ${node}.log -w ${command}`]);
  };
  return {
    url: stdout.trim(),
    stopNode: (port) => control(port, '-m immediate stop'),
    startNode: (port) => control(port, 'start'),
    async stop() {
      callOff();
      await run('bash', [SCRIPT, 'stop', nodes]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
