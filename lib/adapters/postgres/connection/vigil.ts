import { cutClient } from './cancel.ts';

/**
 * Ingest and jobs may wait long for a row lock, which must not look like a dead database; nor may a dead database look
 * like a long wait. So while such a statement is silent, a new connection asks now and then whether anyone is there.
 */

/** Silence before the first question, and pause between two, ms: outlives every statement that has not to wait. */
const SILENCE = 1_000;
/** Longest an answer may take, ms. */
const PATIENCE = 1_200;

/** An unconnected client of the pool's settings. */
export interface Spare {
  connect(): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
}

/** The server takes no new connections: it is away, however long the statement may take. */
export class ServerGone extends Error {
  override name = 'ServerGone';

  constructor(cause: unknown) {
    super('no answer, and no new connection either', { cause });
  }
}

/** `work`, or `ServerGone` as soon as the server of `spare` no longer answers while it is awaited. */
export function whileAlive<T>(work: Promise<T>, spare: () => Spare): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    let over = false;
    const watch = () => {
      timer = setTimeout(async () => {
        const fault = await faultOf(spare());
        if (over) return;
        if (fault === null) watch();
        else reject(new ServerGone(fault));
      }, SILENCE);
    };
    watch();
    work.then(resolve, reject).finally(() => {
      over = true;
      clearTimeout(timer);
    });
  });
}

/** Null when the server answers, be it with a refusal: one that has no more connections to give is alive. */
async function faultOf(spare: Spare): Promise<unknown> {
  spare.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no connection within ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    await Promise.race([spare.connect(), silence]);
    return null;
  } catch (error) {
    return isRefusal(error) ? null : error;
  } finally {
    clearTimeout(timer);
    cutClient(spare);
  }
}

const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'severity' in error;
