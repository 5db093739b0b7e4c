import type { ClaimedRun } from '../../ports/feeds.ts';
import type { Ports } from '../../ports/ports.ts';

/** One holder's work on a run. */
export interface Session {
  ports: Ports;
  run: ClaimedRun;
  /** When to stop, ms since the epoch. */
  until: number;
  /** Milliseconds by phase, of earlier holders too. */
  phases: Record<string, number>;
  /** Of the file this holder fetched, and so has at hand. */
  sha256: string | null;
  /** What must not be told or logged, whatever a client library puts into its errors. */
  secrets: string[];
  /** A local file for the snapshot; the same on every call. */
  path(): Promise<string>;
  /** Throws `LeaseLost` when a write answers that another holder has the run. */
  mine(write: Promise<boolean>): Promise<void>;
  /** Ends the heartbeat and removes the local file. */
  close(): Promise<void>;
}

/** Another holder has the run: whatever this one still does must not count. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Time is up; the run stands at a place where another holder can go on. */
export class HandedOver extends Error {
  override name = 'HandedOver';
}

/** The run cannot go on, and why: for the dealer. */
export class RunFailed extends Error {
  override name = 'RunFailed';
  readonly reason: string;
  readonly fix: string;

  constructor(reason: string, message: string, fix: string) {
    super(message);
    this.reason = reason;
    this.fix = fix;
  }
}

/** A text in which the feed's secrets do not stand. */
export function discreet({ secrets }: Session, text: string): string {
  return secrets.reduce((told, secret) => told.replaceAll(secret, '…'), text);
}

export function sessionOf(ports: Ports, run: ClaimedRun, until: number): Session {
  const { leaseSeconds } = ports.settings.feeds;
  // What fails here shows in the next write.
  const beat = () => void ports.feedRuns.beat(run, leaseSeconds).catch(() => undefined);
  const beats = setInterval(beat, (leaseSeconds * 1_000) / 4);
  let temp: ReturnType<Ports['tempFiles']['make']> | undefined;
  return {
    ...{ ports, run, until, phases: { ...run.phases }, sha256: null, secrets: [] },
    async path() {
      temp ??= ports.tempFiles.make();
      return (await temp).path;
    },
    async mine(write) {
      if (!(await write)) throw new LeaseLost('another holder has the run');
    },
    async close() {
      clearInterval(beats);
      await (await temp)?.remove();
    },
  };
}

/** Does work and adds what it took to a phase, also when it throws. */
export async function timed<T>(
  { ports, phases }: Session,
  phase: string,
  work: () => Promise<T>,
): Promise<T> {
  const started = ports.clock.now();
  try {
    return await work();
  } finally {
    phases[phase] = (phases[phase] ?? 0) + Math.round(ports.clock.now() - started);
  }
}
