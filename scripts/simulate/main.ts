import { quantile } from '../bench/numbers.ts';
import { dice } from '../demo/dealer-file/random.ts';
import { type Fleet, simulateFeeds, type Workers } from './feeds.ts';

/**
 * `npm run simulate`: 10,000 accounts with hourly feeds, worked off by the cron of every minute and by more of them: how
 * late runs start, whether large accounts keep small ones waiting, and how long the queue is. No database, no clock.
 */

const HOUR = 3_600;
const ACCOUNTS = 10_000;

/** Most files are those of an hour ago, and few are large. Rows a second are those of docs/benchmarks.md, halved. */
function drawRunSeconds(random: () => number): number {
  const download = 0.5 + 2 * random();
  if (random() < 0.7) return download;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows = Math.min(200_000, 400 * Math.exp(1.5 * normal));
  return download + 0.5 + rows / 2_000;
}

function newFleet(): Fleet {
  const random = dice(1).next;
  const feedsPerAccount = Array.from({ length: ACCOUNTS }, (_, at) =>
    at % 100 === 0 ? 20 : at % 10 === 0 ? 3 : 1,
  );
  return {
    feedsPerAccount,
    cadenceSeconds: HOUR,
    drawRunSeconds: () => drawRunSeconds(random),
    drawFirstDue: () => random() * HOUR,
  };
}

const TODAY: Workers = {
  invocationsPerMinute: 1,
  workersPerInvocation: 3,
  softDeadlineSeconds: 240,
  runsPerAccount: 2,
};

const cells = [
  'crons a minute',
  'runs an hour',
  'lag p50 s',
  'p99 s',
  'p99 of 1 feed',
  'p99 of 20 feeds',
  'queue',
];
console.log(cells.map((cell) => cell.padStart(16)).join(''));
for (const invocationsPerMinute of [1, 2, 3, 4, 8]) {
  const { lags, queueDepths } = simulateFeeds(
    newFleet(),
    { ...TODAY, invocationsPerMinute },
    8 * HOUR,
    4 * HOUR,
  );
  const pickLags = (feeds?: number) =>
    lags.filter((lag) => feeds === undefined || lag.feeds === feeds).map(({ seconds }) => seconds);
  const figures = [
    invocationsPerMinute,
    lags.length / 4,
    quantile(pickLags(), 0.5),
    quantile(pickLags(), 0.99),
    quantile(pickLags(1), 0.99),
    quantile(pickLags(20), 0.99),
    Math.max(...queueDepths),
  ];
  console.log(figures.map((figure) => figure.toFixed(0).padStart(16)).join(''));
}
