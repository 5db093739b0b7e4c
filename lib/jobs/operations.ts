import type { Context } from '../http/context.ts';
import { HOUSEKEEPING } from './housekeeping.ts';

/** How feeds, queues and deliveries of all accounts do, and when housekeeping last ended. */
export async function readOperations({ ports }: Context) {
  const [operations, last, { freeBytes, minBytes }] = await Promise.all([
    ports.store.operations(),
    ports.leases.last(HOUSEKEEPING),
    ports.disk.free(),
  ]);
  /** That files are kept on, and the database of `npm start`. */
  const disk = { freeMb: Math.floor(freeBytes / 1024 ** 2), isNearlyFull: freeBytes < minBytes };
  return { ...operations, lastHousekeeping: last?.finishedAt ?? null, disk };
}
