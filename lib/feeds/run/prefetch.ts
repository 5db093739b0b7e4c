/** Yields the items of `source`; each is requested while the one before it is worked on. */
export async function* prefetch<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const request = () => {
    const next = items.next();
    // A rejection surfaces when the item is awaited; a consumer that stops early never awaits it.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let requested = request(); ; ) {
      const { done, value } = await requested;
      if (done) return;
      requested = request();
      yield value;
    }
  } finally {
    await items.return?.();
  }
}
