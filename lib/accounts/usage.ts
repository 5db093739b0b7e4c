import type { Ports } from '../outside/ports.ts';
import type { Principal } from './ports/accounts.ts';
import type { Usage } from './ports/usage.ts';

/** How often a process writes down what it counted: a process that is cut off loses as much. */
const WRITE_EVERY_MS = 60_000;

interface Counted {
  calls: Map<string, { accountId: string; keyId: string; requests: number }>;
  writtenMs: number;
}

const counted = new WeakMap<Usage, Counted>();

/** Counts a call of a key in this process. */
export function countCall(usage: Usage, { keyId, account }: Principal): void {
  const { calls } = counted.get(usage) ?? startCounting(usage);
  const call = calls.get(keyId);
  if (call) call.requests += 1;
  else calls.set(keyId, { accountId: account.id, keyId, requests: 1 });
}

/** The first call is written at once: many a process of the platform answers no other. */
function startCounting(usage: Usage): Counted {
  const counts: Counted = { calls: new Map(), writtenMs: Number.NEGATIVE_INFINITY };
  counted.set(usage, counts);
  return counts;
}

/** After an answer: writes what has gathered, once a minute. */
export function keepUsage(ports: Pick<Ports, 'usage' | 'clock' | 'background'>): void {
  const writtenMs = counted.get(ports.usage)?.writtenMs ?? Number.POSITIVE_INFINITY;
  if (ports.clock.now() - writtenMs >= WRITE_EVERY_MS) ports.background.run(writeUsage(ports));
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
