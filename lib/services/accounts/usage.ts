import type { Principal } from '../../ports/accounts/accounts.ts';
import type { Usage } from '../../ports/accounts/usage.ts';
import type { Ports } from '../../ports/ports.ts';

/** How often a process writes down what it counted: a process that is cut off loses as much. */
const WRITE_EVERY_MS = 60_000;

interface Counted {
  calls: Map<string, { accountId: string; keyId: string; requests: number }>;
  writtenMs: number;
}

const counted = new WeakMap<Usage, Counted>();

/** Counts a call of a key in this process; what has gathered is written once a minute, after an answer. */
export function countCall(ports: Pick<Ports, 'usage' | 'clock' | 'background'>, principal: Principal): void {
  const { keyId, account } = principal;
  const now = ports.clock.now();
  const counts = counted.get(ports.usage) ?? startCounting(ports.usage, now);
  const call = counts.calls.get(keyId);
  if (call) call.requests += 1;
  else counts.calls.set(keyId, { accountId: account.id, keyId, requests: 1 });
  if (now - counts.writtenMs >= WRITE_EVERY_MS) ports.background.run(writeUsage(ports));
}

function startCounting(usage: Usage, now: number): Counted {
  const counts: Counted = { calls: new Map(), writtenMs: now };
  counted.set(usage, counts);
  return counts;
}

/** Writes down what this process has counted. */
export async function writeUsage({ usage, clock }: Pick<Ports, 'usage' | 'clock'>): Promise<void> {
  const counts = counted.get(usage);
  if (!counts) return;
  const calls = [...counts.calls.values()];
  counts.calls.clear();
  counts.writtenMs = clock.now();
  await usage.add(calls);
}
