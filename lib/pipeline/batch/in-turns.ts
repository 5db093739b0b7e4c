/** Records that are worked on without a break: while one is, the event loop serves nobody. */
const RECORDS_PER_TURN = 20;

/** Like `map`, for work of a batch: between some records and the next, whatever else waits for the event loop has its turn. */
export async function mapInTurns<Item, Done>(
  items: readonly Item[],
  work: (item: Item, index: number) => Done,
) {
  const done: Done[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % RECORDS_PER_TURN === 0) await nextTurn();
    done.push(work(item, index));
  }
  return done;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
