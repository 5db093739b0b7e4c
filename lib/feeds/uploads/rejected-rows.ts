import { safeCsv } from '../../services/safe-csv.ts';
import type { FeedRow } from '../feed-file.ts';
import { flatten } from '../mapping/flatten-row.ts';

/** Of all rows that are given back. */
const MAX_CHARS = 4 * 1024 * 1024;
/** Of the table: each row has a cell for every column that any of them names. */
const MAX_CELLS = 1_000_000;

interface RejectedRow {
  fields: ReadonlyMap<string, unknown>;
  surplus: readonly string[];
  fix: string;
}

/** Rows of a person's own file, given back with the columns they had and what to change. */
export class RejectedRows {
  readonly #rows: RejectedRow[] = [];
  readonly #named = new Set<string>();
  #chars = 0;

  /** A row that could not be read whole is only named: what is left of it would be listed as if it were the truck. */
  add({ line, fields, surplus = [], fault }: FeedRow, fix: string): void {
    const isWhole = fault === null || surplus.length > 0;
    const values = new Map(isWhole ? flatten(fields ?? {}) : []);
    this.#chars += JSON.stringify([...values, ...surplus]).length;
    for (const name of values.keys()) this.#named.add(name);
    const cells = this.#named.size * (this.#rows.length + 1);
    if (this.#chars > MAX_CHARS || cells > MAX_CELLS) return;
    this.#rows.push({ fields: values, surplus, fix: isWhole ? fix : `Line ${line}: ${fix}` });
  }

  /** CSV with the columns as in the file behind `fix`; surplus values stay at the end, where the row is rejected again. */
  async toCsv(columns: readonly string[] | null): Promise<Uint8Array> {
    const csv = await safeCsv();
    const named = new Set(columns ?? this.#rows.flatMap(({ fields }) => [...fields.keys()]));
    named.delete('fix');
    const rows = this.#rows.map(({ fields, surplus, fix }) => [
      fix,
      ...[...named].map((name) => toText(fields.get(name))),
      ...surplus,
    ]);
    return new TextEncoder().encode(`\uFEFF${csv([['fix', ...named], ...rows])}`);
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
