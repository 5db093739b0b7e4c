import { connect, disconnect } from '../../../lib/connect.ts';
import { runFeed } from '../../../lib/services/feeds/run/run-feed.ts';

/**
 * Works off the queue of feed runs as invocations of the cron would, one after the other, and tells what it took as one
 * line of JSON: a process of its own, so that its memory is nobody else's.
 */

const ports = connect();
const started = performance.now();
let invocations = 0;
await ports.feedRuns.queueDue();
for (let outcome = 'yielded'; outcome === 'yielded'; ) {
  const { softDeadlineMs, leaseSeconds } = ports.settings.feeds;
  const run = await ports.feedRuns.claim(leaseSeconds, null);
  if (run === null) break;
  invocations += 1;
  outcome = await runFeed(ports, run, ports.clock.now() + softDeadlineMs);
}
const ms = performance.now() - started;
const { user, system } = process.cpuUsage();
const figures = {
  ms,
  invocations,
  cpu: (user + system) / 1_000,
  megabytes: process.resourceUsage().maxRSS / 1_024,
};
await disconnect();
process.stdout.write(`${JSON.stringify(figures)}\n`);
