import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Principal } from './accounts/keys/principal.ts';
import type { Session } from './accounts/people/sessions.ts';
import { rememberBriefly } from './accounts/remember.ts';
import { newCallCounts } from './accounts/usage.ts';
import { openPg, openVercel } from './db/connection/pool.ts';
import type { Sql } from './db/sql.ts';
import { type Env, EnvError, NO_DATABASE, readEnv } from './env.ts';
import { guardedLimiter } from './limiter/guarded.ts';
import type { Limiter } from './limiter/limits.ts';
import { memoryLimiter } from './limiter/memory.ts';
import { openAiCompatible } from './outside/assistant/openai-compatible.ts';
import { guardedFetcher } from './outside/fetcher/guarded.ts';
import type { Objects } from './outside/files.ts';
import { lazily } from './outside/lazily.ts';
import { absentMailer } from './outside/mailer/absent.ts';
import type { Mailer } from './outside/mailer/mailer.ts';
import { absentObjects } from './outside/objects/absent.ts';
import { folderObjects } from './outside/objects/folder.ts';
import type { Geocoder } from './outside/outbound.ts';
import { background } from './outside/system/background.ts';
import { silentLog, stdoutLog } from './outside/system/log.ts';
import { systemRandom } from './outside/system/random.ts';
import type { Clock, Flags, Log } from './outside/system.ts';
import { withoutOutbound } from './outside/without-outbound.ts';
import type { Ports } from './ports.ts';

/** environment → ports, once per instance. Nothing connects before it is first used. */

/** A function may run for 300 s; its disk holds 512 MB. */
const FEED_SETTINGS: Omit<Ports['settings']['feeds'], 'minFreeBytes'> = {
  softDeadlineMs: 240_000,
  maxBytes: 400 * 1024 * 1024,
  fetchTimeoutMs: 150_000,
};

/** Photos and downloads leave so much of the disk to the database. */
const MIN_FREE_BYTES = 256 * 1024 ** 2;

let current: Ports | undefined;

/** The ports of this instance. Throws `EnvError` when the environment is not usable. */
export function connect(): Ports {
  current ??= createPorts(readEnv(process.env));
  return current;
}

/** Puts other ports in place of those of the environment, until the next `disconnect`. */
export function connectTo(ports: Ports): void {
  current = ports;
}

/** Connects to an environment whose database nobody migrates beforehand. */
export async function connectMigrated(env: Env): Promise<void> {
  const sql = openDatabase(env);
  current = createPorts(env, sql);
  const { migrate } = await import('./db/migrations/migrate.ts');
  await migrate(sql);
}

/** Closes the ports; the next `connect` makes new ones. */
export async function disconnect(): Promise<void> {
  const closing = current;
  current = undefined;
  // Its failures still reach the database; what comes after does not matter any more.
  closing?.fetcher.close();
  await closing?.db.close();
}

/** Makes ports for an environment. `sql` replaces the database that the environment names. */
export function createPorts(env: Env, sql: Sql = openDatabase(env)): Ports {
  // Not the monotonic clock: it may stand still while the platform has an instance frozen.
  const clock: Clock = { now: () => Date.now() };
  const log = env.log === 'silent' ? silentLog : stdoutLog(clock, env.onPlatform ? 'line' : 'moment');
  const localLimiter = memoryLimiter(clock);
  const guard = { allow: env.outboundAllow };
  const fetcher = guardedFetcher(guard);
  const work = background(log);
  const remote = async (gazetteer: Geocoder, url: string) => {
    const { remoteGeocoder } = await import('./outside/geocoder/with-remote.ts');
    return remoteGeocoder(gazetteer, { url, fetcher, sql, clock, log });
  };
  const random = systemRandom;
  const [signingSecret = Buffer.from(random.bytes(32)).toString('base64')] = env.feedSecretKeys;
  const { postgres, upstash, s3, ai, smtp, feedSecretKeys, ...open } = env;
  const ports: Ports = {
    db: sql,
    principals: rememberBriefly<Principal>(clock.now, ({ expiresAt }) => expiresAt),
    sessions: rememberBriefly<Session>(clock.now),
    callCounts: newCallCounts(),
    limiter: chooseLimiter(env, localLimiter, clock, log),
    localLimiter,
    decodeVins: async (vins) => {
      const { decodeVins } = await import('./pipeline/vin-decoder/decode-vins.ts');
      return decodeVins(vins, new Date(clock.now()).getUTCFullYear());
    },
    fetcher,
    geocoder: lazily(async () => {
      const gazetteer = (await import('./outside/geocoder/gazetteer.ts')).bundledGeocoder();
      return env.geocoderUrl === null ? gazetteer : remote(gazetteer, env.geocoderUrl);
    }),
    assistant: ai ? openAiCompatible(ai) : null,
    mailer: chooseMailer(env),
    objects: chooseObjects(env, clock),
    feedSource: lazily(async () =>
      (await import('./feeds/sources/feed-source.ts')).feedSource(fetcher, guard),
    ),
    feedFiles: lazily(async () => (await import('./feeds/files/feed-files.ts')).feedFiles()),
    disk: {
      async free() {
        const { freeBytes } = await import('./outside/system/disk-space.ts');
        return { freeBytes: freeBytes(localFolder(env)), minBytes: minFreeBytes(env) };
      },
    },
    tempFiles: lazily(async () => (await import('./outside/system/temp-files.ts')).tempFiles()),
    secrets: lazily(async () => (await import('./outside/secrets/secrets.ts')).sealedSecrets(feedSecretKeys)),
    imaging: lazily(async () => (await import('./outside/imaging/sharp.ts')).sharpImaging()),
    background: work,
    flags: chooseFlags(env),
    clock,
    random,
    log,
    settings: {
      ...open,
      signingSecret,
      mail: whereMailGoes(env),
      restingJobs: new Set(),
      feeds: { ...FEED_SETTINGS, minFreeBytes: minFreeBytes(env) },
    },
  };
  return env.outbound ? ports : withoutOutbound(ports);
}

function openDatabase({ postgres }: Env): Sql {
  if (postgres === null) throw new EnvError(NO_DATABASE);
  if (postgres.driver === 'vercel') return openVercel({ url: postgres.url });
  return openPg({ url: postgres.url });
}

/** A function's disk is its own; elsewhere the database may be on the same one. */
const minFreeBytes = ({ onPlatform }: Env): number => (onPlatform ? 0 : MIN_FREE_BYTES);
const localFolder = ({ onPlatform, dataDir }: Env): string =>
  !onPlatform && existsSync(dataDir) ? dataDir : tmpdir();

function chooseObjects({ s3, production, dataDir }: Env, clock: Clock): Objects {
  if (s3) return lazily(async () => (await import('./outside/objects/s3.ts')).s3Objects(s3, clock));
  if (production) return absentObjects();
  return folderObjects(join(dataDir, 'objects'), clock, MIN_FREE_BYTES);
}

const outboxFolder = (dataDir: string) => resolve(dataDir, 'outbox');

function chooseMailer({ smtp, production, dataDir }: Env): Mailer {
  if (smtp) return lazily(async () => (await import('./outside/mailer/smtp.ts')).smtpMailer(smtp));
  if (production) return absentMailer();
  return lazily(async () => (await import('./outside/mailer/folder.ts')).folderMailer(outboxFolder(dataDir)));
}

/** Without Redis instances share nothing: no flag is ever set, and the queue is asked every minute. */
const NO_FLAGS: Flags = { isSet: async () => false, set: async () => undefined };

function chooseFlags({ upstash }: Env): Flags {
  if (upstash === null) return NO_FLAGS;
  return lazily(async () => (await import('./outside/flags.ts')).upstashFlags(upstash));
}

function whereMailGoes({ smtp, production, dataDir }: Env): Ports['settings']['mail'] {
  if (smtp) return 'smtp';
  return production ? 'none' : { folder: outboxFolder(dataDir) };
}

function chooseLimiter({ upstash }: Env, local: Limiter, clock: Clock, log: Log): Limiter {
  if (upstash === null) return local;
  const remote = lazily(async () => (await import('./limiter/upstash.ts')).upstashLimiter(upstash));
  return guardedLimiter(remote, local, { clock, log });
}
