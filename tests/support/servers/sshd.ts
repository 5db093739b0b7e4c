import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterDeath } from '../processes/watchdog.ts';
import { freePort } from './ports.ts';
import { newHostKey } from './sftp-server.ts';

/** OpenSSH's sshd with its internal SFTP server, for the user that runs the tests, who logs in by key. */
export type Sshd = Awaited<ReturnType<typeof startSshd>>;

const SSHD = '/usr/sbin/sshd';

/**
 * Whether sshd is installed (Debian's package `openssh-server`). Without it its tests are left out on a developer's
 * machine; in CI that is an error.
 */
export function available(): boolean {
  const isInstalled = spawnSync(SSHD, ['-V']).error === undefined;
  if (!isInstalled && process.env.CI === 'true') throw new Error('sshd is not installed, and CI needs it');
  return isInstalled;
}

export async function startSshd() {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-sshd-'));
  const pathIn = (name: string) => join(folder, name);
  const port = await freePort();
  const { uid, username } = userInfo();
  const { fingerprint } = newHostKey(folder, 'host');
  for (const name of ['user', 'stranger']) newHostKey(folder, name);
  newHostKey(folder, 'locked', 'open sesame');
  const publicKeys = await Promise.all(
    ['user.pub', 'locked.pub'].map((name) => readFile(pathIn(name), 'utf8')),
  );
  await writeFile(pathIn('authorized'), publicKeys.join(''));
  await mkdir(pathIn('files'));
  // As root it wants a folder to lock its unprivileged half into.
  if (uid === 0) await mkdir('/run/sshd', { recursive: true });
  await writeFile(
    pathIn('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${pathIn('host')}`,
      `AuthorizedKeysFile ${pathIn('authorized')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin yes',
      'Subsystem sftp internal-sftp',
      'ForceCommand internal-sftp',
      'LogLevel DEBUG1',
      '',
    ].join('\n'),
  );
  const sshd = spawn(SSHD, ['-D', '-e', '-f', pathIn('sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  sshd.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const callOff = afterDeath('kill -KILL "$1"; rm -rf "$2"', String(sshd.pid), folder);
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (attempt === 100 || sshd.exitCode !== null) throw new Error(`sshd did not start:\n${output}`);
    await sleep(50);
  }
  return {
    port,
    username,
    /** Lets `username` in; the other has the passphrase `open sesame`. */
    privateKey: await readFile(pathIn('user'), 'utf8'),
    lockedKey: await readFile(pathIn('locked'), 'utf8'),
    /** A sound key that opens nothing. */
    strangersKey: await readFile(pathIn('stranger'), 'utf8'),
    /** Of the server's key, as ssh-keygen prints it. */
    fingerprint,
    /** Of files that may be offered. */
    folder: pathIn('files'),
    url: (path: string) => `sftp://127.0.0.1:${port}${path}`,
    /** What it has written about its sessions so far. */
    log: () => output,
    async stop() {
      callOff();
      const exit = new Promise((resolve) => sshd.once('exit', resolve));
      if (sshd.exitCode === null && sshd.kill('SIGKILL')) await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
