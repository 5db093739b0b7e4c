import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '../../../lib/adapters/postgres/connection/sql.ts';
import { migrate } from '../../../lib/adapters/postgres/migrations/migrate.ts';
import { openPglite } from '../../../lib/adapters/postgres/pglite/pglite.ts';
import { afterDeath } from './watchdog.ts';

/**
 * To make an embedded database takes five seconds of a core, to open a copy less than one: tests that are not about a
 * first start begin with a copy. The original is kept until PGlite or a migration changes.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const MODULES = join(ROOT, 'node_modules');
const DRIZZLE = join(ROOT, 'drizzle');
const CACHE = join(MODULES, '.cache', 'embedded-databases');

/** A migrated database of this process's own. */
export async function openEmbedded(): Promise<Sql> {
  return openPglite({ dataDir: await newEmbeddedFolder() });
}

/** The folder of a migrated database, which goes with this process. */
export async function newEmbeddedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-embedded-'));
  afterDeath('rm -rf "$1"', folder);
  await copyEmbedded(folder);
  return folder;
}

/** A DATA_DIR with a migrated database in it, which goes with this process. */
export async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ctis-data-'));
  afterDeath('rm -rf "$1"', dataDir);
  await prepareDataDir(dataDir);
  return dataDir;
}

/** Puts a migrated database where a service with this DATA_DIR looks for it. */
export const prepareDataDir = (dataDir: string): Promise<void> => copyEmbedded(join(dataDir, 'db'));

async function copyEmbedded(folder: string): Promise<void> {
  original ??= makeOriginal();
  await cp(await original, folder, { recursive: true });
}

let original: Promise<string> | undefined;

async function makeOriginal(): Promise<string> {
  const hash = createHash('sha256').update(
    await readFile(join(MODULES, '@electric-sql', 'pglite', 'package.json')),
  );
  const migrations = (await readdir(DRIZZLE)).filter((file) => file.endsWith('.sql'));
  for (const file of migrations.sort()) hash.update(await readFile(join(DRIZZLE, file)));
  const folder = join(CACHE, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  const sql = openPglite({ dataDir: unfinished });
  await migrate(sql);
  await sql.close();
  // Another worker may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}
