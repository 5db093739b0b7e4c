import { createHash } from 'node:crypto';
import type { ImageType } from '../../contract/fields.ts';
import { sniffImageType } from '../../domain/images/image-type.ts';
import {
  contentTypeFor,
  mediaKey,
  mediaPath,
  originalName,
  renditionName,
} from '../../domain/images/media.ts';
import type { ImageJob, RenderedImage, StoredImage } from '../../ports/images.ts';
import { type OutboundAnswer, OutboundFailure } from '../../ports/outbound.ts';
import type { Ports } from '../../ports/ports.ts';
import { withMemory, withRenderer } from './image-turns.ts';

export type ImagePorts = Pick<Ports, 'images' | 'fetcher' | 'objects' | 'imaging' | 'clock'>;

export type ImageOutcome =
  | { kind: 'stored'; image: StoredImage }
  /** No later try will fare better. */
  | { kind: 'dead'; reason: string }
  | Transient
  /** Its turn did not come in time: nothing is known of it yet. */
  | { kind: 'late' };

/** Of an account that has stored as much as it may: nothing is fetched. */
export const NO_ROOM = { kind: 'dead', reason: 'account_full' } as const;

/** `timeoutMs` is the server's; `signal` ends waiting for a turn. */
export interface ImageLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** `afterSeconds`: what the server asked for; `unreachable`: nothing else of that host can be fetched either. */
export interface Transient {
  kind: 'transient';
  reason: string;
  afterSeconds: number | null;
  unreachable: boolean;
}

const MAX_BYTES = 15 * 1024 * 1024;
/** Statuses that say "later", beside all of 5xx. */
const LATER = new Set([408, 421, 425, 429]);
const MAX_WAIT_SECONDS = 6 * 3_600;

/**
 * Fetches an image, makes it ready and puts it into the object store, in one try. The image's own faults are outcomes;
 * it throws when a part of ours fails (`Unavailable`).
 */
export async function fetchImage(
  ports: ImagePorts,
  job: ImageJob,
  limits: ImageLimits,
): Promise<ImageOutcome> {
  const outcome = await withMemory(job.accountId, limits.signal, () => fetchInTurn(ports, job, limits));
  return outcome === 'late' ? { kind: 'late' } : outcome;
}

async function fetchInTurn(
  ports: ImagePorts,
  job: ImageJob,
  { timeoutMs, signal }: ImageLimits,
): Promise<ImageOutcome> {
  const got = await request(ports, job.url, timeoutMs);
  if ('kind' in got) return got;
  const type = sniffImageType(got.bytes);
  if (type === null) return { kind: 'dead', reason: 'not_an_image' };
  const hash = createHash('sha256').update(got.bytes).digest('hex');
  const known = await ports.images.of(job.accountId).stored(hash);
  if (known !== null) return { kind: 'stored', image: known };
  const rendered = await withRenderer(job.accountId, signal, () => ports.imaging.render(got.bytes, type));
  if (rendered === 'late') return { kind: 'late' };
  if (rendered === null) return { kind: 'dead', reason: 'unreadable' };
  if (rendered === 'too_many_pixels') return { kind: 'dead', reason: rendered };
  return { kind: 'stored', image: await keep(ports, { hash, type }, rendered) };
}

async function request(
  { fetcher }: ImagePorts,
  url: string,
  timeoutMs: number,
): Promise<OutboundAnswer | ImageOutcome> {
  try {
    const headers = { accept: 'image/webp,image/jpeg,image/png,*/*;q=0.1' };
    const answer = await fetcher.fetch({ url, headers, maxBytes: MAX_BYTES, timeoutMs });
    return answer.status === 200 ? answer : refusal(answer);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const { reason } = error;
    if (!error.transient) return { kind: 'dead', reason };
    return { kind: 'transient', reason, afterSeconds: null, unreachable: reason === 'dns_failed' };
  }
}

function refusal({ status, headers }: OutboundAnswer): ImageOutcome {
  const reason = `http_${status}`;
  if (status < 500 && !LATER.has(status)) return { kind: 'dead', reason };
  const asked = Number(headers['retry-after']);
  const afterSeconds = asked > 0 ? Math.min(asked, MAX_WAIT_SECONDS) : null;
  return { kind: 'transient', reason, afterSeconds, unreachable: status === 429 };
}

/** The bytes first: what the database names is always there. */
async function keep(
  { objects }: ImagePorts,
  { hash, type }: { hash: string; type: ImageType },
  { width, height, original, placeholder, renditions }: RenderedImage,
): Promise<StoredImage> {
  const name = originalName(type);
  const put = (of: string, content: Uint8Array) =>
    objects.put(mediaKey(hash, of), content, contentTypeFor(of));
  await Promise.all([
    put(name, original),
    ...renditions.map((rendition) => put(renditionName(rendition.width), rendition.bytes)),
  ]);
  return {
    hash,
    width,
    height,
    original: mediaPath(hash, name),
    placeholder,
    bytes: renditions.reduce((sum, rendition) => sum + rendition.bytes.length, original.length),
    renditions: renditions.map((rendition) => ({
      width: rendition.width,
      height: rendition.height,
      url: mediaPath(hash, renditionName(rendition.width)),
    })),
  };
}
