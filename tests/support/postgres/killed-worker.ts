import { createPorts } from '../../../lib/connect.ts';
import { openPg } from '../../../lib/db/connection/pool.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { readEnv } from '../../../lib/env.ts';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { photos } from '../../../lib/images/fetch-photos.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { deliverLeads } from '../../../lib/leads/delivery/deliver.ts';
import type { Ports } from '../../../lib/ports.ts';

/**
 * One invocation that works on the queue WORK, as a process of its own: killed KILL_AFTER ms after its start, or right
 * after the statement or commit number KILL_AT, if that is set. Prints how the work came out.
 */

const { POSTGRES_URL = '', WORK = '', KILL_AFTER, KILL_AT } = process.env;
let steps = Number.NaN;

function countSteps(sql: Sql): Sql {
  const step = <T>(answer: T): T => {
    steps += 1;
    if (steps === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  return {
    transactional: sql.transactional,
    query: (...args) => sql.query<never>(...args).then(step),
    transaction: (work, role) => sql.transaction((bound) => work(countSteps(bound)), role).then(step),
    close: () => sql.close(),
  };
}

/** What is done before the clock starts; returns the work. */
const WORKS: Record<string, (ports: Ports) => Promise<() => Promise<string>>> = {
  async feeds(ports) {
    // The first read of the tables behind VINs and places takes as long as several parts.
    await Promise.all([
      ports.decodeVins([{ vin: '1FUJGLDR3HLHG7532', year: 2017 }]),
      ports.geocoder.locate([]),
    ]);
    return async () => Object.keys(await drain(ports, feedWork)).at(-1) ?? 'none';
  },
  leads: async (ports) => async () => JSON.stringify(await deliverLeads(ports)),
  photos: async (ports) => async () => JSON.stringify(await drain(ports, photos)),
};

const env = readEnv({ ...process.env, LOG: 'silent', VERCEL: '1', PREVIEW_OUTBOUND: 'yes' });
const connected = createPorts(env, countSteps(openPg({ url: POSTGRES_URL })));
// Small parts: a few thousand rows are to be several pieces of work.
const ports = { ...connected, feedFiles: feedFiles(400) };
const prepare = WORKS[WORK];
if (!prepare) throw new Error(`no such work: ${WORK}`);
const work = await prepare(ports);
steps = 0;
if (KILL_AFTER !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(KILL_AFTER));
const startedMs = performance.now();
const outcome = await work();
const ms = performance.now() - startedMs;
process.stdout.write(JSON.stringify({ outcome, ms, steps }), () => process.exit(0));
