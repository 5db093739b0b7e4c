import { setTimeout as sleep } from 'node:timers/promises';
import { connect, disconnect } from '../../../lib/connect.ts';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { drain } from '../../../lib/jobs/drain.ts';

/**
 * Works off the queue of feeds as invocations of the cron would, one after the other, and prints its figures as one
 * line of JSON. It is a process of its own, so that its memory is nobody else's.
 */

const ports = connect();
const startedAt = performance.now();
let invocations = 0;
for (let isOver = false; !isOver; ) {
  const { runs = 0, yielded = 0 } = await drain(ports, feedWork);
  invocations += runs;
  isOver = yielded === 0;
  // It goes on when its job is due again.
  if (!isOver) await sleep(6_000);
}
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
const figures = {
  ms,
  invocations,
  cpu: (user + system) / 1_000,
  megabytes: process.resourceUsage().maxRSS / 1_024,
};
await disconnect();
process.stdout.write(`${JSON.stringify(figures)}\n`);
