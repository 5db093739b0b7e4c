import { openPg } from '../../lib/adapters/postgres/connection/pg.ts';
import type { Sql } from '../../lib/adapters/postgres/connection/sql.ts';
import { portsOf } from '../../lib/connect.ts';
import { readEnv } from '../../lib/env.ts';
import { runFeed } from '../../lib/services/feeds/run-feed.ts';

/**
 * One invocation that works on one run of a feed, as a process of its own: killed KILL_AFTER ms after it has claimed the
 * run, or right after the statement or commit number KILL_AT from then on, if that is set. Prints how the run came out.
 */

const { POSTGRES_URL = '', KILL_AFTER, KILL_AT } = process.env;
let steps = Number.NaN;

function counted(sql: Sql): Sql {
  const step = <T>(answer: T): T => {
    steps += 1;
    if (steps === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  return {
    transactional: sql.transactional,
    query: (...args) => sql.query<never>(...args).then(step),
    transaction: (work, role) => sql.transaction((bound) => work(counted(bound)), role).then(step),
    close: () => sql.close(),
  };
}

const env = readEnv({ ...process.env, LOG: 'silent', VERCEL: '1' });
const ports = portsOf(env, counted(openPg({ url: POSTGRES_URL })));
// The first read of the tables behind VINs and places takes as long as several chunks.
await Promise.all([
  ports.vinDecoder.decode([{ vin: '1FUJGLDR3HLHG7532', year: 2017 }]),
  ports.geocoder.locate([]),
]);
const run = await ports.feedRuns.claim(60, null);
steps = 0;
if (KILL_AFTER !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(KILL_AFTER));
const started = performance.now();
const outcome = run === null ? 'none' : await runFeed(ports, run, Date.now() + 60_000);
const ms = performance.now() - started;
process.stdout.write(JSON.stringify({ outcome, ms, steps }), () => process.exit(0));
