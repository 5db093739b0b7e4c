import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../connection.ts';
import { quantile } from '../numbers.ts';

/** Requests of one kind that come at a rate, whether or not those before are answered. */
export interface Stream {
  name: string;
  perSecond: number;
  next(): Buffer;
}

export interface StreamFigure {
  name: string;
  sent: number;
  p50: number;
  p99: number;
}

/** Runs the streams side by side for `seconds`. Time counts from when a request was due: a late one waited too. */
export function runStreams(
  origin: string,
  streams: readonly Stream[],
  seconds: number,
): Promise<StreamFigure[]> {
  return Promise.all(streams.map((stream) => runStream(origin, stream, seconds)));
}

async function runStream(
  origin: string,
  { name, perSecond, next }: Stream,
  seconds: number,
): Promise<StreamFigure> {
  let free: Connection[] = [];
  const times: number[] = [];
  const send = async (dueMs: number) => {
    // Those that a burst left over were closed by the server after half a minute.
    free = free.filter(({ isOpen }) => isOpen);
    const connection = free.pop() ?? (await Connection.open(origin));
    const { status, body } = await connection.send(next());
    times.push(performance.now() - dueMs);
    free.push(connection);
    if (status !== 200) throw new Error(`${name} answered ${status}: ${body.slice(0, 300)}`);
  };
  const startMs = performance.now();
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const dueMs = startMs + (sent * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    pending.push(send(dueMs));
  }
  await Promise.all(pending);
  for (const connection of free) connection.close();
  return { name, sent: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
