/** Gives back its items in the order of their keys. */
export class Heap<Item> {
  readonly #items: { key: number; item: Item }[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** Infinity when it is empty. */
  get nextKey(): number {
    return this.#items[0]?.key ?? Number.POSITIVE_INFINITY;
  }

  push(key: number, item: Item): void {
    const items = this.#items;
    let at = items.push({ key, item }) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.#keyAt(parent) > key; parent = (at - 1) >> 1) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): Item | undefined {
    const items = this.#items;
    if (items.length > 1) this.#swap(0, items.length - 1);
    const popped = items.pop()?.item;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const least = this.#keyAt(left + 1) < this.#keyAt(left) ? left + 1 : left;
      if (this.#keyAt(least) >= this.#keyAt(at)) return popped;
      this.#swap(at, least);
      at = least;
    }
  }

  #keyAt(index: number): number {
    return this.#items[index]?.key ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    const [one, other] = [items[a], items[b]];
    if (one && other) [items[a], items[b]] = [other, one];
  }
}
