import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageFinding, ImageFindings } from '../../pipeline/enrich.ts';
import { validate } from '../../pipeline/validate.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { ImageJob } from '../../ports/images.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Context, requireAccount } from '../context.ts';
import { settleImage } from './fetch-due-images.ts';
import { fetchImage, type ImageLimits, NO_ROOM } from './fetch-image.ts';
import { perHost } from './per-host.ts';

/** The caller waits for at most 20 s; the rest is for making the last image ready and for storing the listing. */
const WAIT_MS = 17_000;
const TRY_MS = 6_000;
/** Between the tries of one image, in ms; one more try than pauses. */
const PAUSES = [300, 1_500] as const;
const LEASE_SECONDS = 60;
const POLL_MS = 400;

/**
 * Fetches the images that a record names before it is stored, and answers what became of each. A record that will not
 * pass validation has none fetched. What is under way elsewhere is waited for, and not fetched twice.
 */
export async function awaitImages(ctx: Context, record: unknown): Promise<ImageFindings> {
  const urls = readImages(ctx, record);
  const findings = new Map<string, ImageFinding>(urls.map((url) => [url, { kind: 'pending' }]));
  const { clock, images } = ctx.ports;
  const { id } = requireAccount(ctx);
  const own = images.of(id);
  const isFull = urls.length > 0 && (await images.findFull([id])).has(id);
  const ends = clock.now() + WAIT_MS;
  const left = () => ends - clock.now();
  const signal = AbortSignal.timeout(WAIT_MS);
  for (let open = urls; open.length > 0 && left() > 0; ) {
    const taken = await own.take(open, LEASE_SECONDS);
    for (const { url, status, reason } of taken) {
      if (status === 'stored') findings.set(url, { kind: 'stored' });
      if (status === 'failed') findings.set(url, { kind: 'dead', reason: reason ?? 'failed' });
    }
    const jobs = taken.flatMap(({ job }) => job ?? []);
    await perHost(
      jobs,
      async (job) =>
        void findings.set(
          job.url,
          await (isFull ? refuse(ctx.ports, job) : fetchNow(ctx.ports, job, left, signal)),
        ),
    );
    const mine = new Set(jobs.map(({ url }) => url));
    open = open.filter((url) => findings.get(url)?.kind === 'pending' && !mine.has(url));
    if (open.length > 0) await sleep(POLL_MS);
  }
  ctx.note({ images_waited_for: urls.length });
  return findings;
}

function readImages({ ports }: Context, record: unknown): string[] {
  const currentYear = new Date(ports.clock.now()).getUTCFullYear();
  const [outcome] = validate([record], { currentYear, dualUseMakes: ports.settings.dualUseMakes });
  return outcome?.kind === 'continue' ? (outcome.item.patch.images ?? []) : [];
}

async function refuse(ports: Ports, job: ImageJob): Promise<ImageFinding> {
  await settleImage(ports, job, NO_ROOM);
  return NO_ROOM;
}

/** Tries while there is time. What fails stays in the queue, where a later try finds it. */
async function fetchNow(
  ports: Ports,
  job: ImageJob,
  left: () => number,
  signal: AbortSignal,
): Promise<ImageFinding> {
  let last: string | null = null;
  for (const pause of [...PAUSES, null]) {
    if (left() <= 0) break;
    const outcome = await tried(ports, job, { timeoutMs: Math.min(TRY_MS, left()), signal });
    if (outcome.kind === 'late') break;
    if (outcome.kind !== 'transient') {
      await settleImage(ports, job, outcome);
      return outcome.kind === 'dead' ? { kind: 'dead', reason: outcome.reason } : { kind: 'stored' };
    }
    last = outcome.reason;
    const wait = Math.max(pause ?? 0, (outcome.afterSeconds ?? 0) * 1_000);
    if (pause === null || wait > left()) break;
    await sleep(wait);
  }
  await ports.images.retry(job, last, 30, last !== null);
  return last === null ? { kind: 'pending' } : { kind: 'transient', reason: last };
}

async function tried(ports: Ports, job: ImageJob, limits: ImageLimits) {
  try {
    return await fetchImage(ports, job, limits);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'transient', reason: 'storage_failed', afterSeconds: null, unreachable: false } as const;
  }
}
