import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = new URL('../../../drizzle/', import.meta.url);

type Entry = { idx: number; when: number };

/** A copy of the tree's migrations, of which these are applied; `later`: the text of 9999_later. Until the test is over. */
function copyMigrations(change: (entries: Entry[]) => Entry[], later = ''): URL {
  const folder = mkdtempSync(join(tmpdir(), 'ctis-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(ROOT, folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...journal, entries: change(journal.entries) }));
  writeFileSync(join(folder, '9999_later.sql'), later);
  return pathToFileURL(`${folder}/`);
}

/** The first migration alone. */
export const firstMigration = () => copyMigrations((entries) => entries.slice(0, 1));

/** All migrations and one more, which builds this index without keeping writers out. */
export const withLaterIndex = (index: string) =>
  copyMigrations(
    (entries) => [
      ...entries,
      ...entries
        .slice(-1)
        .map((last) => ({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_later' })),
    ],
    `-- outside a transaction\ncreate index concurrently if not exists ${index};`,
  );
