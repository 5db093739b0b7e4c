import { AsyncLocalStorage } from 'node:async_hooks';

/** Answers that come in pieces. */

/** A stream, and when it is over: read to its end, broken, or given up by whoever read it. */
export interface Streamed {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Never rejects; the error when the pieces broke off. */
  ended: Promise<unknown>;
}

/**
 * The pieces as UTF-8, each made when it is asked for. A reader who goes away aborts `gone`, so that whatever the next
 * piece waits for ends too, and the pieces get to do what they have to do last.
 */
export function toStream(pieces: AsyncIterable<string>, gone: AbortController): Streamed {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  // The server asks for pieces on nobody's behalf.
  const asCaller = AsyncLocalStorage.snapshot();
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await asCaller(() => iterator.next());
          if (gone.signal.aborted) return;
          if (!done) return controller.enqueue(encoder.encode(value));
          controller.close();
          resolve(undefined);
        } catch (error) {
          controller.error(error);
          resolve(error);
        }
      },
      async cancel() {
        gone.abort();
        try {
          await iterator.return?.();
          resolve(undefined);
        } catch (error) {
          resolve(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, ended };
}
