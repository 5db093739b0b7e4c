import type { ImageOutcome, Transient } from './fetch-image.ts';

/** Images of a host that time out in a row before the rest of it waits: one large photo is no slow host. */
const MAX_TIMEOUTS = 3;

interface Avoided {
  outcome: Transient;
  /** Its other images were not tried: waiting is no failure of theirs. */
  isSlow: boolean;
}

/** Hosts that one run asks for nothing more, so that their images keep no worker from others'. */
export class AvoidedHosts {
  readonly #avoided = new Map<string, Avoided>();
  readonly #timeouts = new Map<string, number>();

  find(host: string): Avoided | null {
    return this.#avoided.get(host) ?? null;
  }

  record(host: string, outcome: ImageOutcome): void {
    const hasTimedOut = outcome.kind === 'transient' && outcome.reason === 'timeout';
    const timeouts = hasTimedOut ? (this.#timeouts.get(host) ?? 0) + 1 : 0;
    this.#timeouts.set(host, timeouts);
    if (outcome.kind !== 'transient') return;
    if (outcome.unreachable) this.#avoided.set(host, { outcome, isSlow: false });
    else if (timeouts >= MAX_TIMEOUTS) this.#avoided.set(host, { outcome, isSlow: true });
  }
}
