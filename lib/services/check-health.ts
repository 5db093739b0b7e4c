import type { Context } from './context.ts';
import { HOUSEKEEPING } from './housekeeping.ts';

interface Part {
  ok: boolean;
  ms?: number;
  note?: string;
}

/** Every part the service depends on, each with its milliseconds. Never throws: a dead part is a finding. */
export async function checkHealth({
  ports,
}: Context): Promise<{ status: 'ok' | 'degraded'; parts: Record<string, Part> }> {
  const timed = async (work: () => Promise<Omit<Part, 'ms'>>): Promise<Part> => {
    const started = ports.clock.now();
    const part = await work().catch((error: unknown) => ({
      ok: false,
      note: error instanceof Error ? error.message : 'failed',
    }));
    return { ...part, ms: Math.round((ports.clock.now() - started) * 10) / 10 };
  };
  const [database, migrations, limiter, objects, cron] = await Promise.all([
    timed(async () => {
      await ports.store.ping();
      return { ok: true };
    }),
    timed(async () => {
      const { applied, known } = await ports.store.migrations();
      return { ok: applied >= known, note: `${applied} applied, ${known} known` };
    }),
    timed(async () => {
      await ports.limiter.ping();
      return { ok: true, note: ports.limiter.local ? 'in memory' : 'redis' };
    }),
    timed(async () => {
      await ports.objects.ping();
      return { ok: true };
    }),
    timed(async () => {
      const last = await ports.leases.last(HOUSEKEEPING);
      return { ok: true, note: last ? `last finished ${last.finishedAt}` : 'never ran' };
    }),
  ]);
  const parts = { database, migrations, redis: limiter, objects, last_cron: cron };
  return { status: Object.values(parts).every(({ ok }) => ok) ? 'ok' : 'degraded', parts };
}
