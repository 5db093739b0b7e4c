import { hash, randomBytes } from 'node:crypto';
import { appendFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedLocation } from '../../../lib/feeds/feed-file.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import type { Resolve } from '../../../lib/outside/fetcher/resolver.ts';
import { PRIVATE_LITERALS } from '../../outside/fetcher/hostile-urls.ts';
import { listen } from '../../support/servers/ports.ts';
import { type Login, newHostKey, type SftpStream, sftpServer } from '../../support/servers/sftp-server.ts';
import { available, type Sshd, startSshd } from '../../support/servers/sshd.ts';
import { type FetchOptions, startFetching } from './fetch-from.ts';

const LONG_AGO = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const JOE = { username: 'joe', password: 'x' };

const { folder, path, fetchFrom, findFault } = await startFetching();

describe.skipIf(!available())('OpenSSH', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  const toUrl = (file: string) => sshd.url(join(sshd.folder, file));
  const account = () => ({
    username: sshd.username,
    private_key: sshd.privateKey,
    host_key_sha256: sshd.fingerprint,
  });
  const take = (file: string, change: Partial<FeedLocation> = {}, options: FetchOptions = {}) =>
    fetchFrom(toUrl(file), { ...account(), ...change }, options);
  const findReason = async (file: string, change: Partial<FeedLocation> = {}, options: FetchOptions = {}) =>
    (await findFault(toUrl(file), { ...account(), ...change }, options)).reason;
  async function offer(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(sshd.folder, name), content);
    await utimes(join(sshd.folder, name), LONG_AGO, LONG_AGO);
  }

  test('a file comes whole, with its hash, size and time, also by an odd name', async () => {
    const bytes = randomBytes(20_000_000);
    await offer('trucks.csv', bytes);
    expect(await take('trucks.csv')).toEqual({
      bytes: 20_000_000,
      sha256: hash('sha256', bytes),
      fileTime: LONG_AGO.getTime(),
      etag: null,
      lastModified: null,
    });
    expect(bytes.equals(await readFile(path))).toBe(true);
    const odd = '100% trücks #1?.csv';
    await offer(odd, 'VIN');
    expect(await take(encodeURIComponent(odd))).toMatchObject({ bytes: 3 });
  });

  test('a file that would leave our own disk too little is not its server’s fault', async () => {
    await offer('a.csv', 'VIN\n');
    const full = take('a.csv', {}, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(full).rejects.toBeInstanceOf(Unavailable);
  });

  test('a key with a passphrase, and one of another who may not in', async () => {
    await offer('a.csv', 'VIN\n');
    const locked = { private_key: sshd.lockedKey };
    const before = sshd.log().length;
    expect(await take('a.csv', { ...locked, password: 'open sesame' })).toMatchObject({ bytes: 4 });
    const cases: [Partial<FeedLocation>, string][] = [
      [locked, 'private_key_unreadable'],
      [{ private_key: 'no key' }, 'private_key_unreadable'],
      [{ private_key: sshd.strangersKey }, 'auth_failed'],
      [{ username: 'stranger', private_key: null, password: 'wrong' }, 'auth_failed'],
    ];
    for (const [change, reason] of cases) expect(await findReason('a.csv', change)).toBe(reason);
    // Lines of the log come late, those of the last login last. A passphrase is not sent as a password.
    await expect.poll(() => sshd.log().slice(before)).toMatch(/user stranger .* method password/);
    expect(sshd.log().slice(before)).not.toMatch(RegExp(`user ${sshd.username} .* method password`));
  });

  test('an unknown or changed host key ends it before a user is named, and the fault names its fingerprint', async () => {
    await offer('a.csv', 'VIN\n');
    const before = sshd.log().length;
    const secret = { ...account(), username: 'very-secret-user', password: 'very-secret' };
    const other = `SHA256:${hash('sha256', 'another key', 'base64').replace('=', '')}`;
    for (const [host_key_sha256, reason] of [
      [null, 'host_key_unknown'],
      [other, 'host_key_changed'],
    ] as const)
      expect(await findFault(toUrl('a.csv'), { ...secret, host_key_sha256 })).toMatchObject({
        reason,
        message: expect.stringContaining(sshd.fingerprint),
      });
    // Lines of the log come late, those of a login with the key pinned last: it names its user.
    await findFault(toUrl('a.csv'), { ...secret, username: 'pinned-user' });
    await expect.poll(() => sshd.log().slice(before)).toMatch(/pinned-user/);
    expect(sshd.log().slice(before)).not.toMatch(/very-secret/);
  });

  test('what is not there, is a directory, or is too large', async () => {
    await offer('large.csv', randomBytes(5_000));
    for (const [name, reason] of [
      ['absent.csv', 'not_found'],
      ['', 'not_found'],
      ['large.csv', 'too_large'],
    ] as const)
      expect(await findReason(name, {}, { maxBytes: 4_999 })).toBe(reason);
  });

  test('a file that is written while it is fetched is file_changing', async () => {
    await offer('growing.csv', randomBytes(8_000_000));
    let writing = true;
    const writer = (async () => {
      while (writing) await appendFile(join(sshd.folder, 'growing.csv'), 'more,');
    })();
    const fault = await findFault(toUrl('growing.csv'), account());
    writing = false;
    await writer;
    expect(fault).toMatchObject({ reason: 'file_changing' });
  });

  test('the name is resolved once, and the connection goes to the checked address', async () => {
    await offer('a.csv', 'VIN\n');
    let lookups = 0;
    const resolve: Resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.9']);
    const url = `sftp://rebind.canary:${sshd.port}${join(sshd.folder, 'a.csv')}`;
    expect(await fetchFrom(url, account(), { resolve })).toMatchObject({ bytes: 4 });
    expect(lookups).toBe(1);
  });
});

test.skipIf(!available()).each(['password', 'keyboard-interactive'])(
  'a password is sent to the pinned server as it asks for it: by %s; a wrong one is auth_failed',
  async (method) => {
    const { file, fingerprint: host_key_sha256 } = newHostKey(folder, method);
    const logins: string[] = [];
    const judge = (login: Login, password = '') => {
      logins.push(`${login.username}:${password}`);
      if (password === 'gehéim') login.accept();
      else login.reject();
    };
    const noSuchFile = (sftp: SftpStream) => sftp.on('STAT', (id: number) => sftp.status(id, 2));
    const server = await sftpServer(file, noSuchFile, (login) => {
      if (login.method !== method) login.reject([method]);
      else if (method === 'password') judge(login, login.password);
      else login.prompt('Password: ', ([answer]) => judge(login, answer));
    });
    const url = `sftp://127.0.0.1:${await listen(server)}/a.csv`;
    for (const [password, reason] of [
      ['wrong', 'auth_failed'],
      ['gehéim', 'not_found'],
    ] as const)
      expect((await findFault(url, { ...JOE, host_key_sha256, password })).reason).toBe(reason);
    expect(logins).toEqual(['joe:wrong', 'joe:gehéim']);
    server.close();
  },
);

/** What the client offers in its SSH_MSG_KEXINIT (RFC 4253, section 7.1), as its lists stand there. */
async function readOffer(): Promise<string> {
  const offer = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    let input = Buffer.alloc(0);
    socket.on('error', () => undefined).write('SSH-2.0-probe\r\n');
    socket.on('data', (bytes: Buffer) => {
      input = Buffer.concat([input, bytes]);
      const packet = input.subarray(input.indexOf('\r\n') + 2);
      if (packet.length < 4 || packet.length < 4 + packet.readUInt32BE()) return;
      offer.resolve(packet.toString('latin1'));
      socket.destroy();
    });
  });
  await findFault(`sftp://127.0.0.1:${await listen(server)}/a.csv`, JOE);
  server.close();
  return offer.promise;
}

test('a server can neither send what unpacks to a thousand times as much, nor a prime of its own to be checked', async () => {
  const offer = await readOffer();
  expect(offer).toContain('curve25519-sha256');
  expect(offer).toContain('diffie-hellman-group14-sha256');
  expect(offer).not.toContain('zlib');
  expect(offer).not.toContain('group-exchange');
});

describe('the guard', () => {
  let touched = 0;
  const canary = createServer((socket) => {
    touched += 1;
    socket.on('error', () => undefined);
  });
  afterAll(() => canary.close());

  test.each([
    ...PRIVATE_LITERALS.map(
      (literal) => `${literal.replace(/^https?:/, 'sftp:').replace(/:\$.*/, '')}/a.csv`,
    ),
    'sftp://93.184.216.34:2222/a.csv',
  ])('refuses %j unconnected', async (url) => {
    expect((await findFault(url, JOE, { allow: [] })).reason).toMatch(/^(url|address)_refused$/);
  });

  test('refuses a name that leads to a private address, and every port but 22; planted fault: allowed, it connects, and one that says nothing is a timeout', async () => {
    const url = `sftp://127.0.0.1:${await listen(canary)}/a.csv`;
    const resolve: Resolve = async () => ['127.0.0.1'];
    const namedFault = await findFault('sftp://dealer.canary/a.csv', JOE, { resolve, allow: [] });
    expect(namedFault.reason).toBe('address_refused');
    expect((await findFault(url, JOE, { allow: [] })).reason).toBe('url_refused');
    expect(touched).toBe(0);
    const silent = { reason: 'timeout' };
    expect(await findFault(url, JOE, { timeoutMs: 5_000 })).toMatchObject(silent);
    expect(touched).toBe(1);
  });
});
