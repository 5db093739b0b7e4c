import { openPg } from '../../lib/adapters/postgres/pg.ts';
import { portsOf } from '../../lib/connect.ts';
import { readEnv } from '../../lib/env.ts';
import { runFeed } from '../../lib/services/run-feed.ts';

/**
 * One invocation that works on one run of a feed, as a process of its own: killed KILL_AFTER ms after it has claimed the
 * run, if that is set. Prints how the run came out.
 */

const { POSTGRES_URL = '', KILL_AFTER } = process.env;
const env = readEnv({ ...process.env, LOG: 'silent', VERCEL: '1' });
const ports = portsOf(env, openPg({ url: POSTGRES_URL }));
// The first read of the tables behind VINs and places takes as long as several chunks.
await Promise.all([
  ports.vinDecoder.decode([{ vin: '1FUJGLDR3HLHG7532', year: 2017 }]),
  ports.geocoder.locate([]),
]);
const run = await ports.feedRuns.claim(60, null);
if (KILL_AFTER !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(KILL_AFTER));
const started = performance.now();
const outcome = run === null ? 'none' : await runFeed(ports, run, Date.now() + 60_000);
const ms = performance.now() - started;
process.stdout.write(JSON.stringify({ outcome, ms }), () => process.exit(0));
