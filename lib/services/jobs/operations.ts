import type { Context } from '../context.ts';
import { HOUSEKEEPING } from './housekeeping.ts';

/** Free space of the disk that files and the embedded database are on. */
interface DiskSpace {
  freeMb: number;
  isNearlyFull: boolean;
}

/** How feeds, queues and deliveries of all accounts do, and when housekeeping last ended. */
export async function readOperations({ ports }: Context) {
  const [operations, last, { freeBytes, minBytes }] = await Promise.all([
    ports.store.operations(),
    ports.leases.last(HOUSEKEEPING),
    ports.disk.free(),
  ]);
  const disk: DiskSpace = { freeMb: Math.floor(freeBytes / 1024 ** 2), isNearlyFull: freeBytes < minBytes };
  return { ...operations, lastHousekeeping: last?.finishedAt ?? null, disk };
}
