import type { Context } from './context.ts';
import { keepUpImages } from './keep-up-images.ts';

export const HOUSEKEEPING = 'housekeeping';
const LEASE_SECONDS = 300;

/**
 * The hourly sweep: forgets Idempotency-Keys after their 24 hours and old answers of the geocoder, and looks after the
 * images. Doubled or late deliveries are harmless: one holder at a time, and what is overdue is done whenever it comes.
 */
export async function runHousekeeping(ctx: Context) {
  const { leases, idempotency, store } = ctx.ports;
  const lease = await leases.acquire(HOUSEKEEPING, LEASE_SECONDS);
  if (lease === null) return { job: HOUSEKEEPING, outcome: 'busy', result: null };
  let result: Record<string, unknown> = { failed: true };
  try {
    result = {
      idempotency_keys_swept: await idempotency.sweep(),
      geocodes_swept: await store.sweepGeocodes(),
      ...(await keepUpImages(ctx.ports)),
    };
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await leases.release(HOUSEKEEPING, lease.fence, result);
  }
  ctx.note(result);
  return { job: HOUSEKEEPING, outcome: 'done', result };
}
