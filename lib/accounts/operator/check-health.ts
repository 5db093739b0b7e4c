import { readBacklog } from '../../db/jobs/backlog.ts';
import { readLastRun } from '../../db/jobs/leases.ts';
import { migrationState } from '../../db/migrations/migrate.ts';
import type { Context } from '../../http/context.ts';
import type { Ports } from '../../ports.ts';

interface Part {
  ok: boolean;
  ms: number;
  note?: string;
}

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

/** Returns the note of a part that is well, if it has one; throws what is wrong with another. */
type Check = (ports: Ports) => Promise<unknown>;

function note(isWell: boolean, text: string): string {
  if (!isWell) throw new Error(text);
  return text;
}

const describeAge = (ageMs: number | null, lateMs: number): string =>
  ageMs === null ? 'none waits' : note(ageMs < lateMs, `waiting for ${Math.round(ageMs / 60_000)} minutes`);

const CHECKS: Readonly<Record<string, Check>> = {
  database: ({ db }) => db.query({ text: 'select 1' }),
  // A standby, and a disk that is nearly full: everything can be read, and nothing is saved.
  async writes({ db }) {
    const [row] = await db.query<{ transaction_read_only: string }>({ text: 'show transaction_read_only' });
    const isReadOnly = row?.transaction_read_only;
    return note(isReadOnly === 'off', `read only: ${isReadOnly}`);
  },
  async migrations({ db }) {
    const { applied, shipped } = await migrationState(db);
    return note(applied >= shipped, `${shipped - applied} to apply`);
  },
  async redis({ limiter }) {
    await limiter.ping();
    return limiter.local ? 'in memory' : 'redis';
  },
  objects: ({ objects }) => objects.ping(),
  mail: async ({ mailer }) => mailer.ping?.(),
  async feed_keys({ db, secrets }) {
    const { sealed } = await readBacklog(db);
    const openable = await Promise.all(sealed.map((secret) => secrets.canOpen(secret)));
    const lostCount = openable.filter((isOpen) => !isOpen).length;
    return note(lostCount === 0, `keys that FEED_SECRET_KEY lacks: ${lostCount}`);
  },
  oldest_undelivered_lead: async ({ db }) => describeAge((await readBacklog(db)).oldestLeadMs, LATE_LEAD_MS),
  oldest_queued_run: async ({ db }) => describeAge((await readBacklog(db)).oldestRunMs, LATE_RUN_MS),
  async disk({ disk }) {
    const { freeBytes, minBytes } = await disk.free();
    return note(freeBytes >= minBytes, `${Math.floor(freeBytes / 1024 ** 2)} MB free`);
  },
  async last_cron({ db, clock }) {
    const last = await readLastRun(db);
    const ageMs =
      last === null ? (await readBacklog(db)).oldestAccountMs : clock.now() - Date.parse(last.finishedAt);
    const result = last?.result.failed === true ? 'failed' : 'finished';
    return note(
      (ageMs ?? 0) < LATE_CRON_MS && result === 'finished',
      `last ${result} ${last?.finishedAt ?? 'never'}`,
    );
  },
};

async function timed(ports: Ports, check: Check): Promise<Part> {
  const startedAt = ports.clock.now();
  const status = await Promise.resolve(ports)
    .then(check)
    .then(
      (text) => ({ ok: true, text }),
      (error: unknown) => ({ ok: false, text: error instanceof Error ? error.message : 'failed' }),
    );
  const ms = Math.round((ports.clock.now() - startedAt) * 10) / 10;
  return { ok: status.ok, ms, ...(typeof status.text === 'string' ? { note: status.text } : {}) };
}
