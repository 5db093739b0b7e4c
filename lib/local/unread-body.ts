import type { Readable } from 'node:stream';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Reads to its end a body that the answer did not need, for at most 64 MiB and 5 s: a client that still sends when its
 * connection closes gets a broken pipe instead of the answer.
 */
export function discardUnreadBody(incoming: Readable & { complete: boolean }): Promise<void> {
  const isUntouched = incoming.readableFlowing === null && !incoming.readableDidRead;
  if (incoming.complete || !isUntouched) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(stop, MAX_MS);
    let bytes = 0;
    function stop() {
      clearTimeout(timer);
      incoming.off('data', count).pause();
      resolve();
    }
    function count(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) stop();
    }
    incoming.on('data', count).once('end', stop).once('close', stop).once('error', stop);
  });
}
