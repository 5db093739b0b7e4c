import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetcher } from '../../../lib/adapters/fetcher/guarded.ts';
import type { Resolve } from '../../../lib/adapters/fetcher/resolver.ts';
import type { FeedConditions, FeedLimits, FeedLocation } from '../../../lib/feeds/feed-file.ts';
import { feedSource } from '../../../lib/feeds/sources/feed-source.ts';
import { Unavailable } from '../../../lib/ports/faults.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { listen } from '../../support/servers/ports.ts';
import { newHostKey } from '../../support/servers/sftp-server.ts';
import { available, type Sshd, startSshd } from '../../support/servers/sshd.ts';
import { PRIVATE_LITERALS } from '../fetcher/hostile-urls.ts';
import { catchFault } from './catch-fault.ts';

const NOTHING: FeedConditions = { etag: null, lastModified: null };
const LONG_AGO = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));

const folder = await suiteFolder();
const path = join(folder, 'fetched');

interface Ways {
  allow?: string[];
  resolve?: Resolve;
  conditions?: FeedConditions;
  limits?: Partial<FeedLimits>;
}

function fetchFrom(
  place: FeedLocation,
  { allow = [], resolve, conditions = NOTHING, limits = {} }: Ways = {},
) {
  const guard = { allow: new Set(allow), ...(resolve ? { resolve } : {}) };
  const source = feedSource(guardedFetcher(guard), guard, { now: Date.now });
  return source.fetch(place, conditions, path, {
    maxBytes: 100_000_000,
    timeoutMs: 10_000,
    minFreeBytes: 0,
    ...limits,
  });
}

const nobody = (url: string): FeedLocation => ({
  protocol: 'sftp',
  url,
  username: 'joe',
  password: 'x',
  privateKey: null,
  hostKeySha256: null,
});

describe.skipIf(!available())('OpenSSH', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  const place = (file: string, change: Partial<FeedLocation> = {}): FeedLocation => ({
    protocol: 'sftp',
    url: sshd.url(join(sshd.folder, file)),
    username: sshd.username,
    password: null,
    privateKey: sshd.privateKey,
    hostKeySha256: sshd.fingerprint,
    ...change,
  });
  const take = (location: FeedLocation, ways: Ways = {}) =>
    fetchFrom(location, { allow: [`127.0.0.1:${sshd.port}`], ...ways });
  async function offer(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(sshd.folder, name), content);
    await utimes(join(sshd.folder, name), LONG_AGO, LONG_AGO);
  }

  test('a file comes whole, with its hash, size and time: 20 MB, empty, through a link, by an odd name', async () => {
    const bytes = randomBytes(20_000_000);
    await offer('trucks.csv', bytes);
    expect(await take(place('trucks.csv'))).toEqual({
      bytes: 20_000_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      fileTime: LONG_AGO.getTime(),
      etag: expect.any(String),
      lastModified: null,
    });
    expect(bytes.equals(await readFile(path))).toBe(true);
    await offer('empty.csv', '');
    expect(await take(place('empty.csv'))).toMatchObject({ bytes: 0 });
    expect((await readFile(path)).length).toBe(0);
    await symlink(join(sshd.folder, 'trucks.csv'), join(sshd.folder, 'latest.csv'));
    expect(await take(place('latest.csv'))).toMatchObject({ bytes: 20_000_000 });
    await offer('my trücks #1?.csv', 'VIN\n');
    const odd = sshd.url(join(sshd.folder, encodeURIComponent('my trücks #1?.csv')));
    expect(await take(place('', { url: odd }))).toMatchObject({ bytes: 4 });
  });

  test('a file that would leave our own disk too little is not its server’s fault', async () => {
    await offer('a.csv', 'VIN\n');
    const limits = { minFreeBytes: Number.MAX_SAFE_INTEGER };
    await expect(take(place('a.csv'), { limits })).rejects.toBeInstanceOf(Unavailable);
  });

  test('an unchanged file is not_modified; one that has just been written is not taken at its word', async () => {
    await offer('same.csv', 'VIN\nA\n');
    const first = await take(place('same.csv'));
    const conditions = { ...NOTHING, etag: first === 'not_modified' ? null : first.etag };
    expect(await take(place('same.csv'), { conditions })).toBe('not_modified');
    await offer('same.csv', 'VIN\nA\nB\n');
    expect(await take(place('same.csv'), { conditions })).toMatchObject({ bytes: 8 });
    await writeFile(join(sshd.folder, 'fresh.csv'), 'VIN\n');
    expect(await take(place('fresh.csv'))).toMatchObject({ bytes: 4, etag: null });
  });

  test('a key with a passphrase, and one of another who may not in', async () => {
    await offer('a.csv', 'VIN\n');
    const locked = { privateKey: sshd.lockedKey };
    expect(await take(place('a.csv', { ...locked, password: 'open sesame' }))).toMatchObject({ bytes: 4 });
    const findReason = async (change: Partial<FeedLocation>) =>
      (await catchFault(take(place('a.csv', change)))).reason;
    expect(await findReason(locked)).toBe('private_key_unreadable');
    expect(await findReason({ ...locked, password: 'wrong' })).toBe('private_key_unreadable');
    expect(await findReason({ privateKey: 'no key' })).toBe('private_key_unreadable');
    expect(await findReason({ privateKey: sshd.strangersKey })).toBe('auth_failed');
    expect(await findReason({ privateKey: null, password: 'wrong' })).toBe('auth_failed');
    expect(await findReason({ username: 'nobody-of-that-name' })).toBe('auth_failed');
  });

  test('an unknown or changed host key ends it before a user is named, and the fingerprint is told', async () => {
    await offer('a.csv', 'VIN\n');
    const before = sshd.log().length;
    const secret = { username: 'very-secret-user', password: 'very-secret' };
    const unknown = await catchFault(take(place('a.csv', { ...secret, hostKeySha256: null })));
    expect(unknown).toMatchObject({ reason: 'host_key_unknown', transient: false });
    expect(unknown.message).toContain(sshd.fingerprint);
    const other = `SHA256:${createHash('sha256').update('another key').digest('base64').replace(/=+$/, '')}`;
    const changed = await catchFault(take(place('a.csv', { ...secret, hostKeySha256: other })));
    expect(changed).toMatchObject({ reason: 'host_key_changed', transient: false });
    expect(changed.message).toContain(sshd.fingerprint);
    expect(sshd.log().slice(before)).not.toMatch(/userauth|very-secret/);
    // Planted fault: with the key pinned the same would be said.
    await catchFault(take(place('a.csv', secret)));
    expect(sshd.log().slice(before)).toMatch(/very-secret-user/);
  });

  const findReason = async (file: string, ways: Ways = {}) =>
    (await catchFault(take(place(file), ways))).reason;

  test('what is not there, is a directory, or is too large', async () => {
    expect(await findReason('absent.csv')).toBe('not_found');
    await mkdir(join(sshd.folder, 'sub'));
    expect(await findReason('sub')).toBe('not_found');
    await offer('large.csv', randomBytes(5_000));
    expect(await findReason('large.csv', { limits: { maxBytes: 4_999 } })).toBe('too_large');
  });

  test('a file that is written while it is fetched is file_changing', async () => {
    await offer('growing.csv', randomBytes(8_000_000));
    let writing = true;
    const writer = (async () => {
      while (writing) await appendFile(join(sshd.folder, 'growing.csv'), 'more,');
    })();
    const fault = await catchFault(take(place('growing.csv')));
    writing = false;
    await writer;
    expect(fault).toMatchObject({ reason: 'file_changing', transient: true });
  });

  test('the name is resolved once, and the connection goes to the checked address', async () => {
    await offer('a.csv', 'VIN\n');
    let asked = 0;
    const resolve: Resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.9']);
    const url = `sftp://rebind.canary:${sshd.port}${join(sshd.folder, 'a.csv')}`;
    const answer = await take(place('a.csv', { url }), { resolve, allow: [`rebind.canary:${sshd.port}`] });
    expect(answer).toMatchObject({ bytes: 4 });
    expect(asked).toBe(1);
  });
});

/** As far as it is needed here: the server half of ssh2, which comes with the client. */
interface Attempt {
  method: string;
  username: string;
  password: string;
  accept(): void;
  reject(methods?: string[]): void;
  prompt(prompts: string, answered: (answers: string[]) => void): void;
}
interface Ssh2 {
  Server: new (
    options: { hostKeys: Buffer[] },
    connected: (client: {
      on(event: string, listener: (attempt: Attempt) => void): void;
      end(): void;
    }) => void,
  ) => Server;
}

describe.skipIf(!available())('a password', () => {
  test.each(['password', 'keyboard-interactive'])(
    'is sent to the pinned server as it asks for it: by %s; a wrong one is auth_failed',
    async (wanted) => {
      const { Server: SshServer }: Ssh2 = createRequire(import.meta.resolve('ssh2-sftp-client'))('ssh2');
      const { file, fingerprint: hostKeySha256 } = newHostKey(folder, wanted);
      const heard: string[] = [];
      const judge = (attempt: Attempt, password: string | undefined) => {
        heard.push(`${attempt.username}:${password}`);
        if (password === 'gehéim') attempt.accept();
        else attempt.reject();
      };
      const server = new SshServer({ hostKeys: [await readFile(file)] }, (client) => {
        client.on('error', () => undefined);
        // It lets in, and then has no files.
        client.on('ready', () => client.end());
        client.on('authentication', (attempt) => {
          if (attempt.method !== wanted) attempt.reject([wanted]);
          else if (wanted === 'password') judge(attempt, attempt.password);
          else attempt.prompt('Password: ', ([answer]) => judge(attempt, answer));
        });
      });
      const port = await listen(server);
      const ways = { allow: [`127.0.0.1:${port}`], limits: { timeoutMs: 8_000 } };
      const place = { ...nobody(`sftp://127.0.0.1:${port}/a.csv`), hostKeySha256 };
      expect((await catchFault(fetchFrom({ ...place, password: 'wrong' }, ways))).reason).toBe('auth_failed');
      expect(heard).toEqual(['joe:wrong']);
      const fault = await catchFault(fetchFrom({ ...place, password: 'gehéim' }, ways));
      expect(fault.reason).not.toBe('auth_failed');
      expect(heard).toEqual(['joe:wrong', 'joe:gehéim']);
      server.close();
    },
  );
});

/** What the client offers in its SSH_MSG_KEXINIT (RFC 4253, section 7.1), as its lists stand there. */
async function readOffer(): Promise<string> {
  const offer = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    let sent = Buffer.alloc(0);
    socket.on('error', () => undefined).write('SSH-2.0-probe\r\n');
    socket.on('data', (bytes: Buffer) => {
      sent = Buffer.concat([sent, bytes]);
      const packet = sent.subarray(sent.indexOf('\r\n') + 2);
      if (packet.length < 4 || packet.length < 4 + packet.readUInt32BE()) return;
      offer.resolve(packet.toString('latin1'));
      socket.destroy();
    });
  });
  const port = await listen(server);
  await catchFault(fetchFrom(nobody(`sftp://127.0.0.1:${port}/a.csv`), { allow: [`127.0.0.1:${port}`] }));
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
  let canary: Server;
  let port: number;
  let touched = 0;
  beforeAll(async () => {
    canary = createServer((socket) => {
      touched += 1;
      socket.on('error', () => undefined);
    });
    port = await listen(canary);
  });
  afterAll(() => canary.close());

  test.each(PRIVATE_LITERALS.map((url) => url.replace(/^https?:/, 'sftp:').replace(/:\$/, '')))(
    'refuses %j unconnected',
    async (url) => {
      const fault = await catchFault(fetchFrom(nobody(new URL('/a.csv', `${url}`).href)));
      expect(fault.reason).toMatch(/^(url|address)_refused$/);
    },
  );

  test.each([
    'https://93.184.216.34/a.csv',
    'sftp://joe:x@93.184.216.34/a.csv',
    'sftp://93.184.216.34:2222/a.csv',
    'sftp://93.184.216.34/',
    'sftp://93.184.216.34/a%00.csv',
  ])('refuses the URL %j', async (url) => {
    expect((await catchFault(fetchFrom(nobody(url)))).reason).toBe('url_refused');
  });

  test('refuses a name that leads to a private address, and every port but 22', async () => {
    const before = touched;
    const resolve: Resolve = async () => ['127.0.0.1'];
    expect((await catchFault(fetchFrom(nobody('sftp://dealer.canary/a.csv'), { resolve }))).reason).toBe(
      'address_refused',
    );
    expect((await catchFault(fetchFrom(nobody(`sftp://127.0.0.1:${port}/a.csv`)))).reason).toBe(
      'url_refused',
    );
    expect(touched).toBe(before);
  });

  test('planted fault: allowed, it is connected; and one that says nothing is a timeout', async () => {
    const before = touched;
    const fault = await catchFault(
      fetchFrom(nobody(`sftp://127.0.0.1:${port}/a.csv`), {
        allow: [`127.0.0.1:${port}`],
        limits: { timeoutMs: 5_000 },
      }),
    );
    expect(touched).toBe(before + 1);
    expect(fault).toMatchObject({ reason: 'timeout', transient: true });
  });
});
