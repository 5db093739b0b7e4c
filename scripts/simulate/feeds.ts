import { Heap } from './heap.ts';

/** The queue of feed runs as `feed-runs.ts` and `feed-claim.ts` work it off, in simulated seconds. */

export interface Fleet {
  /** Feeds of each account. */
  feedsPerAccount: readonly number[];
  cadenceSeconds: number;
  /** Seconds that a run takes. */
  drawRunSeconds(): number;
  /** When a feed is first due. */
  drawFirstDue(): number;
}

export interface Workers {
  /** Invocations of the cron in a minute; each works for `softDeadlineSeconds` at most. */
  invocationsPerMinute: number;
  workersPerInvocation: number;
  softDeadlineSeconds: number;
  runsPerAccount: number;
}

export interface Simulated {
  /** Seconds from when a feed was due to the start of its run, with the feeds that its account has. */
  lags: { seconds: number; feeds: number }[];
  /** Waiting runs, as each minute begins. */
  queueDepths: number[];
}

interface Account {
  feeds: number;
  /** When its waiting runs were due. */
  waiting: Heap<Feed>;
  running: number;
  servedAt: number;
  isListed: boolean;
}

interface Feed {
  account: Account;
  dueAt: number;
}

interface Invocation {
  until: number;
  working: number;
}

type Event = { invocation: Invocation; ended: Feed | null };

/** Figures count from `warmUpSeconds` on. */
export function simulateFeeds(
  fleet: Fleet,
  workers: Workers,
  seconds: number,
  warmUpSeconds: number,
): Simulated {
  const simulated: Simulated = { lags: [], queueDepths: [] };
  const idle = new Heap<Feed>();
  const ready = new Heap<Account>();
  const events = new Heap<Event>();
  let waiting = 0;
  for (const feeds of fleet.feedsPerAccount) {
    const account = { feeds, waiting: new Heap<Feed>(), running: 0, servedAt: -1, isListed: false };
    for (let count = 0; count < feeds; count++) {
      const dueAt = fleet.drawFirstDue();
      idle.push(dueAt, { account, dueAt });
    }
  }
  for (let at = 0; at < seconds; at += 60 / workers.invocationsPerMinute)
    events.push(at, { invocation: { until: at + workers.softDeadlineSeconds, working: 0 }, ended: null });

  const list = (account: Account) => {
    if (account.isListed || account.waiting.size === 0 || account.running >= workers.runsPerAccount) return;
    account.isListed = true;
    ready.push(account.servedAt, account);
  };
  const queueDue = (now: number) => {
    while (idle.nextKey <= now) {
      const feed = idle.pop();
      if (!feed) break;
      feed.account.waiting.push(feed.dueAt, feed);
      waiting += 1;
      list(feed.account);
    }
  };
  const claim = (now: number): Feed | undefined => {
    const account = ready.pop();
    if (!account) return undefined;
    account.isListed = false;
    const feed = account.waiting.pop();
    if (!feed) return undefined;
    waiting -= 1;
    account.running += 1;
    account.servedAt = now;
    list(account);
    return feed;
  };

  while (events.nextKey < seconds) {
    const now = events.nextKey;
    const { invocation, ended } = events.pop() ?? { invocation: { until: 0, working: 0 }, ended: null };
    if (ended) {
      invocation.working -= 1;
      ended.account.running -= 1;
      list(ended.account);
      ended.dueAt +=
        fleet.cadenceSeconds * Math.max(1, Math.ceil((now - ended.dueAt) / fleet.cadenceSeconds));
      idle.push(ended.dueAt, ended);
    } else {
      queueDue(now);
      if (now >= warmUpSeconds) simulated.queueDepths.push(waiting);
    }
    while (invocation.working < workers.workersPerInvocation && now <= invocation.until) {
      const feed = claim(now);
      if (!feed) break;
      if (now >= warmUpSeconds) simulated.lags.push({ seconds: now - feed.dueAt, feeds: feed.account.feeds });
      invocation.working += 1;
      events.push(now + fleet.drawRunSeconds(), { invocation, ended: feed });
    }
  }
  return simulated;
}
