import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { keepSecret, openDataDir } from '../../lib/local/data-dir.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';
import { endAll, run } from './processes.ts';

const folder = await suiteFolder();
const inSecrets = (name: string) => join(folder, 'secrets', name);
afterEach(endAll);

it('a folder is made for its owner and held by one process, once, until it is released or killed', async () => {
  const path = join(folder, 'data');
  const script = join(import.meta.dirname, 'hold-data-dir.ts');
  const first = openDataDir(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(() => openDataDir(`${path}/.`)).toThrow(/in use by another process.*DATA_DIR=/);
  await run(script, [path]).waitForOutput(/data is in use by/);
  first.release();
  const second = openDataDir(path);
  first.release();
  await run(script, [path]).waitForOutput(/data is in use by/);
  second.release();
  const holder = run(script, [path]);
  await holder.waitForOutput(/^won$/m);
  expect(() => openDataDir(path)).toThrow('in use by another process');
  holder.child.kill('SIGKILL');
  await holder.exit;
  openDataDir(path).release();
});

it('a secret is made once, for its owner, never where a link of a foreseeable name leads; an empty one is a fault', async () => {
  await mkdir(inSecrets(''));
  await symlink(join(folder, 'elsewhere'), inSecrets(`ADMIN_TOKEN.${process.pid}`));
  const keep = () => keepSecret(folder, 'ADMIN_TOKEN');
  expect(keep()).toBe(keep());
  expect((await stat(inSecrets('ADMIN_TOKEN'))).mode & 0o777).toBe(0o600);
  await expect(stat(join(folder, 'elsewhere'))).rejects.toThrow('ENOENT');
  await writeFile(inSecrets('ADMIN_TOKEN'), '');
  expect(keep).toThrow(/is empty/);
});
