import pg from 'pg';
import { inject } from 'vitest';
import { runAt } from '../postgres/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database on the coordinator of a Citus cluster, which knows its workers. */
    citusUrl: string | undefined;
  }
}

/** Polls go back to what Citus has not seen the end of: it looks more often than once a minute. */
const LOOK_OFTEN = `alter system set citus.recover_2pc_interval = '1s'`;

/**
 * A new, empty database on all nodes of the cluster; answers its URL on the coordinator. One at a time: adding a node copies
 * the roles to it, which two at once may not ("tuple concurrently updated").
 */
export async function createCitusDatabase(): Promise<string> {
  const url = inject('citusUrl');
  if (url === undefined) throw new Error('no Citus cluster');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    return await createDatabase(url);
  } finally {
    await client.end();
  }
}

async function createDatabase(url: string): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const nodes = await runAt(
    url,
    'select nodename as host, nodeport as port, groupid as "group" from pg_dist_node order by groupid',
  );
  await runAt(url, LOOK_OFTEN);
  await runAt(url, 'select pg_reload_conf()');
  const ownUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  for (const { host, port } of nodes) {
    const at = (path: string) =>
      Object.assign(new URL(url), { host: `${host}:${port}`, pathname: path }).href;
    await runAt(at(new URL(url).pathname), `create database ${name}`);
    await runAt(at(`/${name}`), 'create extension citus');
  }
  for (const { host, port, group } of nodes)
    await runAt(
      ownUrl,
      `select ${group === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'}('${host}', ${port})`,
    );
  return ownUrl;
}
