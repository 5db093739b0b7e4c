import type { TempFile } from '../../outside/files.ts';
import type { Ports } from '../../outside/ports.ts';
import type { ClaimedRun, FeedRunState } from './claimed-run.ts';

/** One worker's work on a run. */
export interface Session {
  ports: Ports;
  run: ClaimedRun;
  /** When to stop, ms since the epoch. */
  until: number;
  /** Milliseconds by phase, of earlier workers too. */
  phases: Record<string, number>;
  /** This worker fetched the file, and has it on its disk. */
  hasLocalFile: boolean;
  /** What must not appear in messages and logs, whatever a client library puts into its errors. */
  secrets: string[];
  /** A local file for the snapshot, and a place for its parts; the same on every call. */
  temp(): Promise<TempFile>;
  /** Throws `LeaseLost` when a write returns that another worker has the run. */
  assertLease(write: Promise<boolean>): Promise<void>;
  /** Removes the local file. */
  close(): Promise<void>;
}

/** Another worker has the run: whatever this one still writes is rejected. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';

  constructor() {
    super('another worker has the run');
  }
}

/** Throws before the file was fetched. */
export function requireState({ state }: ClaimedRun): FeedRunState {
  if (state === null) throw new Error('a run without the state that its phase needs');
  return state;
}

/** The text without the feed's secrets. */
export function redactSecrets({ secrets }: Session, text: string): string {
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text);
}

export function openSession(ports: Ports, run: ClaimedRun, until: number): Session {
  let temp: Promise<TempFile> | undefined;
  return {
    ports,
    run,
    until,
    phases: { ...run.phases },
    hasLocalFile: false,
    secrets: [],
    temp() {
      temp ??= ports.tempFiles.make();
      return temp;
    },
    async assertLease(write) {
      if (!(await write)) throw new LeaseLost();
    },
    async close() {
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
