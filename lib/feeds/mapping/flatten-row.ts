const MAX_DEPTH = 4;

/** A longer name is no column's: each member of an object repeats the names of those around it. */
const MAX_COLUMN_NAME = 300;

/** The members of a row, those of objects inside it under `outer.inner`. Lists stay lists, but for those of named values. */
export function flatten(row: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  for (const [name, value] of Object.entries(row))
    if (name.length <= MAX_COLUMN_NAME) addCells(cells, name, value, 1);
  return cells;
}

function addCells(cells: Map<string, unknown>, name: string, sent: unknown, depth: number): void {
  const value = Array.isArray(sent) ? (namedValues(sent) ?? sent) : sent;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= MAX_DEPTH)
    cells.set(name, value);
  else
    for (const [member, deeper] of Object.entries(value))
      if (name.length + member.length < MAX_COLUMN_NAME)
        addCells(cells, `${name}.${member}`, deeper, depth + 1);
}

const NAME = /^(?:name|key|label|title)$/i;
const VALUE = /^(?:value|val|text)$/i;

/** `[{ name: 'Engine', value: 'X15' }, …]`, as vendors of old list what a truck has; null for every other list. */
function namedValues(list: readonly unknown[]): Record<string, unknown> | null {
  const values: Record<string, unknown> = Object.create(null);
  for (const item of list) {
    const members = Object.entries(typeof item === 'object' && item !== null ? item : {});
    const name = members.find(([member]) => NAME.test(member))?.[1];
    const value = members.find(([member]) => VALUE.test(member));
    if (members.length !== 2 || typeof name !== 'string' || value === undefined || name in values)
      return null;
    values[name] = value[1];
  }
  return list.length > 0 ? values : null;
}
