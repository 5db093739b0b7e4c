import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = new URL('../../../drizzle/', import.meta.url);

/** The tree's migrations and one more, which builds this index without keeping writers out; until the test is over. */
export function withLaterIndex(index: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'ctis-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(ROOT, folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_later' });
  writeFileSync(file, JSON.stringify(journal));
  const text = `-- outside a transaction\ncreate index concurrently if not exists ${index};`;
  writeFileSync(join(folder, '9999_later.sql'), text);
  return pathToFileURL(`${folder}/`);
}
