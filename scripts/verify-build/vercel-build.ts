import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The platform's own builder, run without network or account on a copy of the tree. */

const CLI = '64.0.2';
const CLI_PACKAGE = {
  private: true,
  dependencies: { vercel: CLI },
  // The CLI asks for 4.4.0, which was never published.
  overrides: { sandbox: '4.5.0' },
};
const PROJECT = {
  projectId: 'prj_local',
  orgId: 'team_local',
  settings: { framework: null, nodeVersion: '24.x', installCommand: '' },
};

/** Where `vercel build` ran: `root` is the copied tree, `output` its `.vercel/output`; both lie in `folder`. */
export interface Build {
  folder: string;
  root: string;
  output: string;
}

/** Copies the tree below `root` and builds the copy as the platform would. Throws with the builder's words. */
export async function vercelBuild(root: string): Promise<Build> {
  const cli = await installCli(join(tmpdir(), 'ctis-vercel-cli'));
  const folder = await mkdtemp(join(tmpdir(), 'ctis-build-'));
  // Where root builds, the database of the docs' examples runs as another user.
  await chmod(folder, 0o755);
  const copy = join(folder, 'tree');
  try {
    await copyTree(root, copy);
    await build(copy, cli);
    return { folder, root: copy, output: join(copy, '.vercel/output') };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function build(copy: string, cli: string): Promise<void> {
  await mkdir(join(copy, '.vercel'));
  await writeFile(join(copy, '.vercel/project.json'), JSON.stringify(PROJECT));
  const { VERCEL_ENV: _, POSTGRES_URL: __, DATABASE_URL: ___, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'build', '--yes', '--global-config', join(copy, '.vercel/global')],
    {
      cwd: copy,
      encoding: 'utf8',
      env: {
        ...environment,
        PATH: [join(copy, 'node_modules/.bin'), process.env.PATH].join(delimiter),
        VERCEL: '1',
        // The copy has this tree's node_modules.
        VERCEL_INSTALL_COMPLETED: '1',
        VERCEL_TELEMETRY_DISABLED: '1',
      },
    },
  );
  if (status !== 0) throw new Error(`vercel build failed:\n${stdout}\n${stderr}`);
}

/** Installs the CLI in a folder of its own, kept for the next run. Returns the path of its script. */
async function installCli(folder: string): Promise<string> {
  const script = join(folder, 'node_modules/vercel/dist/index.js');
  if ((await installedVersion(folder)) === CLI) return script;
  const checkout = await mkdtemp(`${folder}-`);
  await writeFile(join(checkout, 'package.json'), JSON.stringify(CLI_PACKAGE));
  const arguments_ = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status, stderr } = spawnSync('npm', arguments_, { cwd: checkout, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm could not install vercel@${CLI}:\n${stderr}`);
  await rm(folder, { recursive: true, force: true });
  await rename(checkout, folder);
  return script;
}

async function installedVersion(folder: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, 'node_modules/vercel/package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    return version;
  } catch {
    return null;
  }
}

/** Copies what git would commit, working changes included, and node_modules: behind a link the builder would trace nothing. */
async function copyTree(root: string, copy: string): Promise<void> {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error('git ls-files failed: the check copies what git knows');
  for (const file of new Set(stdout.split('\0'))) {
    if (!file || file === 'node_modules' || !existsSync(join(root, file))) continue;
    await mkdir(join(copy, dirname(file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  await cp(join(root, 'node_modules'), join(copy, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}
