/** The items of `source`, each asked for while the one before it is worked on. */
export async function* ahead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const ask = () => {
    const answer = items.next();
    // Told when its turn comes; if it never does, nobody wants to know.
    answer.catch(() => undefined);
    return answer;
  };
  try {
    for (let asked = ask(); ; ) {
      const { done, value } = await asked;
      if (done) return;
      asked = ask();
      yield value;
    }
  } finally {
    await items.return?.();
  }
}
