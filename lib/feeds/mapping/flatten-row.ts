import { isObject } from '../../truck/is-object.ts';

const MAX_DEPTH = 4;

/** A longer name is no column's: each member of an object repeats the names of those around it. */
const MAX_COLUMN_NAME = 300;

/** The members of a row, those of objects inside it under `outer.inner`. Lists stay lists. */
export function flatten(row: Readonly<Record<string, unknown>>) {
  const cells = new Map<string, unknown>();
  for (const [name, value] of Object.entries(row))
    if (name.length <= MAX_COLUMN_NAME) addCells(cells, name, value, 1);
  return cells;
}

function addCells(cells: Map<string, unknown>, name: string, value: unknown, depth: number) {
  if (!isObject(value) || depth >= MAX_DEPTH) cells.set(name, value);
  else
    for (const [member, deeper] of Object.entries(value))
      if (name.length + member.length < MAX_COLUMN_NAME)
        addCells(cells, `${name}.${member}`, deeper, depth + 1);
}
