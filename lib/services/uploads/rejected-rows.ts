import { flatten } from '../../domain/feed/flatten-row.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';
import { safeCsv } from '../safe-csv.ts';

/** Of all rows that are given back. */
const MAX_CHARS = 4 * 1024 * 1024;

/** Rows of a person's own file, given back with the columns they had and what to change. */
export class RejectedRows {
  readonly #rows: { fields: ReadonlyMap<string, unknown>; fix: string }[] = [];
  #chars = 0;

  add({ fields }: FeedRow, fix: string): void {
    const values = new Map(flatten(fields ?? {}));
    this.#chars += JSON.stringify([...values]).length;
    if (this.#chars <= MAX_CHARS) this.#rows.push({ fields: values, fix });
  }

  /** CSV with the columns as in the file, `fix` behind them. */
  async toCsv(columns: readonly string[] | null): Promise<Uint8Array> {
    const csv = await safeCsv();
    const named = new Set(columns ?? this.#rows.flatMap(({ fields }) => [...fields.keys()]));
    named.delete('fix');
    const rows = this.#rows.map(({ fields, fix }) => [
      ...[...named].map((name) => toText(fields.get(name))),
      fix,
    ]);
    return new TextEncoder().encode(`\uFEFF${csv([[...named, 'fix'], ...rows])}`);
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
