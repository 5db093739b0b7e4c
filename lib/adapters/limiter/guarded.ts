import type { Limiter, Quota, Verdict } from '../../ports/limits.ts';
import type { Clock } from '../../ports/system.ts';
import { within } from '../system/within.ts';

/** `open`: the local limiter answers. `closed`: the remote one does, again. `reason` is fit for the log. */
export type BreakerChange =
  | { readonly state: 'open'; readonly reason: string }
  | { readonly state: 'closed'; readonly openForMs: number };

export interface GuardOptions {
  clock: Clock;
  /** Learns of each change of the breaker; what it throws is dropped. */
  onChange?: (change: BreakerChange) => void;
  /** What the remote limiter may cost a request. */
  timeoutMs?: number;
  /** What it may cost the first requests of a process, which connect: DNS, TCP and TLS. */
  firstTimeoutMs?: number;
  /** Wait before the first probe; doubled after each that fails, up to 5 s. */
  probeAfterMs?: number;
}

const MAX_PROBE_AFTER_MS = 5000;
const PING_MS = 2000;
/** A call like any other, so that a probe proves the whole way and not only that someone listens. */
const PROBE: Quota = { name: 'probe', limit: 1, windowSeconds: 1 };

/**
 * The remote limiter while it answers in time, the local one otherwise; never throws for the remote's sake.
 *
 * The first call that fails or takes over 150 ms (400 until one has ended) opens the breaker and is answered locally; from then on no request
 * waits. Traffic starts probes in the background, one at a time, and one that succeeds closes the breaker. Admitted
 * calls are written down locally too, so that the local limiter knows what this instance let through before.
 */
export function guardedLimiter(remote: Limiter, local: Limiter, options: GuardOptions): Limiter {
  const { clock, onChange = () => {}, timeoutMs = 150, firstTimeoutMs = 400, probeAfterMs = 1000 } = options;
  let maxMs = firstTimeoutMs;
  let opened: number | null = null;
  let lastTried = 0;
  let wait = probeAfterMs;
  let probing = false;

  function open(error: unknown): void {
    if (opened !== null) return;
    opened = lastTried = clock.now();
    report({ state: 'open', reason: error instanceof Error ? error.message : 'unknown' });
  }

  function close(): void {
    const openForMs = opened === null ? 0 : clock.now() - opened;
    opened = null;
    report({ state: 'closed', openForMs });
  }

  function report(change: BreakerChange): void {
    try {
      onChange(change);
    } catch {
      // A broken log must not refuse requests.
    }
  }

  function isProbeDue(): boolean {
    const since = clock.now() - lastTried;
    return !probing && (since >= wait || since < 0);
  }

  async function probe(): Promise<void> {
    probing = true;
    try {
      await within(PING_MS, () => remote.ping());
      await within(timeoutMs, () => remote.take(PROBE, 'probe'));
      close();
    } catch {
      wait = Math.min(wait * 2, MAX_PROBE_AFTER_MS);
      lastTried = clock.now();
    } finally {
      probing = false;
    }
  }

  async function ask(question: (limiter: Limiter) => Promise<Verdict>): Promise<Verdict> {
    if (opened !== null) {
      if (isProbeDue()) void probe();
      return question(local);
    }
    try {
      const verdict = await within(maxMs, () => question(remote));
      wait = probeAfterMs;
      return verdict;
    } catch (error) {
      open(error);
      return question(local);
    } finally {
      maxMs = timeoutMs;
    }
  }

  return {
    get local() {
      return opened !== null;
    },
    async take(quota, subject) {
      const verdict = await ask((limiter) => limiter.take(quota, subject));
      if (opened === null && verdict.allowed) await local.take(quota, subject);
      return verdict;
    },
    look: (quota, subject) => ask((limiter) => limiter.look(quota, subject)),
    ping: () => within(PING_MS, () => remote.ping()),
  };
}
