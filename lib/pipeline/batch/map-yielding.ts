/** Records processed without a break, in which the event loop serves no other request. */
const RECORDS_PER_BREAK = 20;

/** Like `map`, for work of a batch: yields to the event loop between some records and the next. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
) {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % RECORDS_PER_BREAK === 0) await yieldToEventLoop();
    results.push(work(item, index));
  }
  return results;
}

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
