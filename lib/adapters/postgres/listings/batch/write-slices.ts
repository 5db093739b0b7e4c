/** A row to write, with its JSON. */
export interface WriteRow {
  hash: string;
  json: string;
}

/** Rows in hash order, which is the order in which all writers take row locks, cut where they exceed `maxChars`. */
export function* sliceRows(rows: readonly WriteRow[], maxChars: number): Generator<string> {
  let slice: string[] = [];
  let chars = 0;
  for (const { json } of rows.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    chars += json.length;
    if (chars > maxChars && slice.length > 0) {
      yield `[${slice.join(',')}]`;
      slice = [];
      chars = json.length;
    }
    slice.push(json);
  }
  yield `[${slice.join(',')}]`;
}
