import { expect, test } from 'vitest';
import { fetchImage, type ImagePorts } from '../../../lib/images/fetch-image.ts';
import { uniqueJpeg } from '../../support/samples/pictures.ts';

const RENDERED = { width: 1, height: 1, original: new Uint8Array(1), renditions: [], placeholder: '' };

/** Ports whose servers answer at once, and whose renderer waits until it is let go on. */
function slowRenderer(photo: Buffer) {
  const rendered: string[] = [];
  const renders: (() => void)[] = [];
  let fetching = 0;
  const ports = {
    clock: { now: Date.now },
    db: { query: async () => [] },
    objects: { put: async () => undefined },
    fetcher: {
      async fetch({ url }: { url: string }) {
        fetching += 1;
        return { status: 200, headers: {}, bytes: Buffer.concat([photo, Buffer.from(`|${url}`)]) };
      },
    },
    imaging: {
      async render(bytes: Uint8Array) {
        rendered.push(Buffer.from(bytes).toString('latin1').split('|').at(-1) ?? '');
        await new Promise<void>((resolve) => renders.push(resolve));
        return RENDERED;
      },
    },
  } as unknown as ImagePorts;
  return { ports, rendered, renders, fetched: () => fetching };
}

const NEVER = new AbortController().signal;
const fetchOne = (ports: ImagePorts, accountId: string, url: string, signal = NEVER) =>
  fetchImage(ports, { accountId, url, timeoutMs: 1_000, signal, failures: new Map() });
/** Lets everything happen that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('photos are rendered one at a time; behind those of an account in memory the others go first', async () => {
  const { ports, rendered, renders, fetched } = slowRenderer(await uniqueJpeg(''));
  const photos = Array.from({ length: 30 }, (_, n) => fetchOne(ports, 'greedy', `greedy-${n}`));
  await settle();
  expect([rendered.length, fetched()]).toEqual([1, 4]);
  photos.push(fetchOne(ports, 'modest', 'modest'));
  await settle();
  while (renders.length > 0) {
    renders.shift()?.();
    await settle();
  }
  expect(rendered.indexOf('modest')).toBe(4);
  for (const { kind } of await Promise.all(photos)) expect(kind).toBe('stored');
});

test('a photo whose turn does not come in time is late, and costs nothing more', async () => {
  const { ports, rendered, renders, fetched } = slowRenderer(await uniqueJpeg(''));
  const first = fetchOne(ports, 'greedy', 'first');
  await settle();
  const deadline = new AbortController();
  const lateFetches = Array.from({ length: 6 }, () => fetchOne(ports, 'greedy', 'late', deadline.signal));
  await settle();
  deadline.abort();
  for (const outcome of await Promise.all(lateFetches)) expect(outcome).toEqual({ kind: 'pending' });
  renders.shift()?.();
  expect((await first).kind).toBe('stored');
  expect([rendered, fetched()]).toEqual([['first'], 4]);
});
