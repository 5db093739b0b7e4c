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
export function streamOf(pieces: AsyncIterable<string>, gone: AbortController): Streamed {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
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

/**
 * The first of the content types that an Accept header (RFC 9110, section 12.5.1) likes best; the first of all without
 * one.
 */
export function preferred<Type extends string>(
  header: string | null,
  types: readonly [Type, ...Type[]],
): Type {
  const [first] = types;
  if (header === null) return first;
  const liking = (type: string) => {
    const [main] = type.split('/');
    const told = new Map(header.split(',').map(rangeOf));
    return told.get(type) ?? told.get(`${main}/*`) ?? told.get('*/*') ?? 0;
  };
  return types.reduce((best, type) => (liking(type) > liking(best) ? type : best), first);
}

function rangeOf(range: string): [type: string, weight: number] {
  const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = params.find((param) => param.startsWith('q='))?.slice(2) ?? '1';
  return [type, Number(weight) || 0];
}
