import { type Context, requireAccount } from '../http/context.ts';
import { Unavailable } from '../outside/faults.ts';
import type { ImageFindings } from '../pipeline/needs.ts';
import { validate } from '../pipeline/validate.ts';
import { settleImages } from './settle-images.ts';

/** The caller waits for at most 20 s; the rest is for making the last image ready and for storing the listing. */
const WAIT_MS = 17_000;
const TIMEOUT_MS = 6_000;

/**
 * Fetches the images that a record names before it is stored, and answers what became of each. A record that will not
 * pass validation has none fetched.
 */
export async function awaitImages(ctx: Context, record: unknown): Promise<ImageFindings> {
  const urls = readImages(ctx, record);
  ctx.note({ images_waited_for: urls.length });
  const limits = { timeoutMs: TIMEOUT_MS, signal: AbortSignal.timeout(WAIT_MS) };
  try {
    return await settleImages(ctx.ports, requireAccount(ctx).id, urls, limits, null);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return new Map(urls.map((url) => [url, { kind: 'transient', reason: 'storage_failed' }]));
  }
}

function readImages({ ports }: Context, record: unknown): string[] {
  const currentYear = new Date(ports.clock.now()).getUTCFullYear();
  const [outcome] = validate([record], { currentYear, dualUseMakes: ports.settings.dualUseMakes });
  return outcome?.kind === 'continue' ? (outcome.item.patch.images ?? []) : [];
}
