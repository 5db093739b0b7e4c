const MAX_DEPTH = 4;

/** A longer name is no column's: each member of an object repeats the names of those around it. */
const MAX_COLUMN_NAME = 300;

/** The members of a row, those of objects inside it under `outer.inner`. Lists stay lists. */
export function* flatten(
  row: Readonly<Record<string, unknown>>,
): Generator<[column: string, value: unknown]> {
  for (const [name, value] of Object.entries(row))
    if (name.length <= MAX_COLUMN_NAME) yield* inner(name, value, 1);
}

function* inner(name: string, value: unknown, depth: number): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= MAX_DEPTH) {
    yield [name, value];
    return;
  }
  for (const [member, deeper] of Object.entries(value))
    if (name.length + member.length < MAX_COLUMN_NAME) yield* inner(`${name}.${member}`, deeper, depth + 1);
}
