import { hash as digest } from 'node:crypto';
import { FairQueue } from '../db/fair-queue.ts';
import { type OutboundAnswer, OutboundFailure } from '../outside/outbound.ts';
import type { Ports } from '../ports.ts';
import type { ImageType } from '../truck/fields.ts';
import type { RenderedImage, StoredImage } from './image.ts';
import {
  contentTypeFor,
  mediaKey,
  mediaPath,
  originalName,
  renditionName,
  sniffImageType,
} from './names/media.ts';
import { readStoredImage } from './queries/images.ts';

export type ImagePorts = Pick<Ports, 'db' | 'fetcher' | 'objects' | 'imaging' | 'clock'>;

export type ImageOutcome =
  /** `image`: stored just now. */
  | { kind: 'stored'; image?: StoredImage }
  /** No later try will fare better. */
  | { kind: 'dead'; reason: string }
  /** `afterSeconds`: what the server asked for. */
  | { kind: 'transient'; reason: string; afterSeconds: number | null }
  /** No place in the queues came free in time; the image was not fetched. */
  | { kind: 'pending' };

export interface ImageLimits {
  /** For the server's answer. */
  timeoutMs: number;
  /** Ends waiting for a place in the queues. */
  signal: AbortSignal;
  /** Failures in a row, by host. A host that keeps failing is not called again, so that it blocks no worker. */
  failures: Map<string, number>;
}

export interface ImageRequest extends ImageLimits {
  accountId: string;
  url: string;
}

const MAX_BYTES = 15 * 1024 * 1024;
/** Statuses that say "later", beside all of 5xx. */
const LATER = new Set([408, 421, 425, 429]);
const MAX_WAIT_SECONDS = 6 * 3_600;
/** One slow photo does not make a host slow. */
const MAX_FAILURES = 3;

/** Photos of up to 15 MiB that this process has in memory at a time; the second number is one account's share. */
const IN_MEMORY = new FairQueue(12, 4);
/** Connections at a time; the second number is those to one server. */
const CONNECTIONS = new FairQueue(6, 3);
/** One at a time, because a decoded photo takes up to 200 MB. */
const RENDERING = new FairQueue(1);

/**
 * Fetches an image, makes it ready and puts it into the object store, in one try. The image's own faults are outcomes;
 * it throws when a part of ours fails (`Unavailable`).
 */
export async function fetchImage(ports: ImagePorts, request: ImageRequest): Promise<ImageOutcome> {
  const { accountId, signal } = request;
  return (
    (await IN_MEMORY.runWithPlace(accountId, signal, () => fetchWithinLimits(ports, request))) ?? {
      kind: 'pending',
    }
  );
}

async function fetchWithinLimits(
  ports: ImagePorts,
  { accountId, url, timeoutMs, signal, failures }: ImageRequest,
): Promise<ImageOutcome> {
  const host = URL.parse(url)?.host ?? '';
  const result = await CONNECTIONS.runWithPlace(host, signal, async () => {
    const failureCount = failures.get(host) ?? 0;
    if (failureCount >= MAX_FAILURES) return { kind: 'pending' } as const;
    const answer = await download(ports, url, timeoutMs);
    failures.set(host, 'kind' in answer && answer.kind === 'transient' ? failureCount + 1 : 0);
    return answer;
  });
  if (result === null) return { kind: 'pending' };
  if ('kind' in result) return result;
  const type = sniffImageType(result.bytes);
  if (type === null) return { kind: 'dead', reason: 'not_an_image' };
  const hash = digest('sha256', result.bytes);
  const storedImage = await readStoredImage(ports.db, accountId, hash);
  if (storedImage !== null) return { kind: 'stored', image: storedImage };
  const rendered = await RENDERING.runWithPlace(accountId, signal, async () => ({
    image: await ports.imaging.render(result.bytes, type),
  }));
  if (rendered === null) return { kind: 'pending' };
  const { image } = rendered;
  if (image === null) return { kind: 'dead', reason: 'unreadable' };
  if (image === 'too_many_pixels') return { kind: 'dead', reason: image };
  return { kind: 'stored', image: await keep(ports, { hash, type }, image) };
}

async function download(
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
    return { kind: 'transient', reason, afterSeconds: null };
  }
}

function refusal({ status, headers }: OutboundAnswer): ImageOutcome {
  const reason = `http_${status}`;
  if (status < 500 && !LATER.has(status)) return { kind: 'dead', reason };
  const retryAfter = Number(headers['retry-after']);
  const afterSeconds = retryAfter > 0 ? Math.min(retryAfter, MAX_WAIT_SECONDS) : null;
  return { kind: 'transient', reason, afterSeconds };
}

/** Stores the bytes before the database names them. */
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
