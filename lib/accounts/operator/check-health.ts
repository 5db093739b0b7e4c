import { readBacklog } from '../../db/jobs/backlog.ts';
import { readLastRun } from '../../db/jobs/leases.ts';
import { migrationState } from '../../db/migrations/migrate.ts';
import type { Context } from '../../http/context.ts';
import { HOUSEKEEPING } from '../../jobs/housekeeping.ts';
import type { Ports } from '../../outside/ports.ts';
import { toTable } from '../../truck/text/table.ts';

interface Part {
  ok: boolean;
  ms: number;
  note?: string;
}

type Finding = Omit<Part, 'ms'>;

/** Leads and runs that wait longer than this are late, ms: workers try every minute, and a delivery for hours. */
const LATE_LEAD_MS = 6 * 3_600_000;
const LATE_RUN_MS = 2 * 3_600_000;
/** It runs every hour. One that never ran is late by the age of the first account. */
const LATE_CRON_MS = 2 * 3_600_000;

/** Checks every part that the service depends on. Never throws: a dead part is a finding. */
export async function checkHealth({
  ports,
}: Context): Promise<{ status: 'ok' | 'degraded'; parts: Record<string, Part> }> {
  const checked = Object.entries(CHECKS).map(async ([name, check]) => [name, await timed(ports, check)]);
  const parts: Record<string, Part> = Object.fromEntries(await Promise.all(checked));
  return { status: Object.values(parts).every(({ ok }) => ok) ? 'ok' : 'degraded', parts };
}

const CHECKS: Readonly<Record<string, (ports: Ports) => Promise<Finding>>> = toTable({
  async database({ db }) {
    await db.query({ text: 'select 1' });
    return { ok: true };
  },
  // A standby, and a disk that is nearly full: everything can be read, and nothing is saved.
  async writes({ db }) {
    const [row] = await db.query<{ transaction_read_only: string }>({ text: 'show transaction_read_only' });
    return row?.transaction_read_only === 'off'
      ? { ok: true }
      : { ok: false, note: 'the database only reads' };
  },
  async migrations({ db }) {
    const { applied, known } = await migrationState(db);
    return applied < known ? { ok: false, note: `${applied} of ${known} applied` } : { ok: true };
  },
  async redis({ limiter }) {
    await limiter.ping();
    return { ok: true, note: limiter.local ? 'in memory' : 'redis' };
  },
  async objects({ objects }) {
    await objects.ping();
    return { ok: true };
  },
  async mail({ mailer }) {
    await mailer.ping?.();
    return { ok: true };
  },
  async feed_keys({ db, secrets }) {
    const { sealed } = await readBacklog(db);
    const opened = await Promise.all(sealed.map((secret) => secrets.canOpen(secret)));
    if (opened.every(Boolean)) return { ok: true };
    return { ok: false, note: 'secrets of feeds cannot be read: FEED_SECRET_KEY was lost or replaced' };
  },
  async oldest_undelivered_lead({ db }) {
    return waiting((await readBacklog(db)).oldestLeadMs, LATE_LEAD_MS);
  },
  async oldest_queued_run({ db }) {
    return waiting((await readBacklog(db)).oldestRunMs, LATE_RUN_MS);
  },
  async disk({ disk }) {
    const { freeBytes, minBytes } = await disk.free();
    const note = `${Math.floor(freeBytes / 1024 ** 2)} MB free`;
    return freeBytes >= minBytes
      ? { ok: true, note }
      : { ok: false, note: `${note}: no photos and no files are fetched` };
  },
  async last_cron({ db, clock }) {
    const last = await readLastRun(db, HOUSEKEEPING);
    if (last) {
      const isLate = clock.now() - Date.parse(last.finishedAt) >= LATE_CRON_MS;
      const hasFailed = last.result.failed === true;
      return {
        ok: !isLate && !hasFailed,
        note: `last ${hasFailed ? 'failed' : 'finished'} ${last.finishedAt}`,
      };
    }
    return { ok: ((await readBacklog(db)).oldestAccountMs ?? 0) < LATE_CRON_MS, note: 'never ran' };
  },
});

function waiting(ageMs: number | null, lateMs: number): Finding {
  if (ageMs === null) return { ok: true, note: 'none waits' };
  return { ok: ageMs < lateMs, note: `waiting for ${Math.round(ageMs / 60_000)} minutes` };
}

async function timed(ports: Ports, check: (ports: Ports) => Promise<Finding>): Promise<Part> {
  const startedAt = ports.clock.now();
  const part = await check(ports).catch((error: unknown) => ({
    ok: false,
    note: error instanceof Error ? error.message : 'failed',
  }));
  return { ...part, ms: Math.round((ports.clock.now() - startedAt) * 10) / 10 };
}
