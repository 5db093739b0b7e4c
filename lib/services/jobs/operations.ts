import type { Context } from '../context.ts';
import { HOUSEKEEPING } from './housekeeping.ts';

/** How feeds, queues and deliveries of all accounts do, and when housekeeping last ended. */
export async function readOperations({ ports }: Context) {
  const [operations, last] = await Promise.all([ports.store.operations(), ports.leases.last(HOUSEKEEPING)]);
  return { ...operations, lastHousekeeping: last?.finishedAt ?? null };
}
