import { isIP } from 'node:net';
import * as z from 'zod/mini';

/** process.env → one validated, frozen value. All problems are reported together. */

const DEFAULT_DUAL_USE = 'Ford,Chevrolet,GMC,Ram,Dodge';

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const text = z.optional(z.string());
const email = z.email('must be an e-mail address');
const url = z.url('must be a URL');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
const checked = (isValid: (text: string) => boolean, message: string) =>
  z.string().check(z.trim(), z.refine(isValid, message));
/** A list with commas between, as a list. */
const list = (isValid: (entry: string) => boolean, message: string) =>
  z._default(
    z.pipe(
      checked((text) => splitList(text).every(isValid), message),
      z.transform(splitList),
    ),
    [],
  );
const integer = (min: number, max: number) =>
  z.pipe(
    checked(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
    z.transform(Number),
  );
const postgresUrl = z.optional(
  checked((text) => /^postgres(ql)?:\/\//.test(text), 'must start with postgres://'),
);

const isSmtpUrl = (text: string) =>
  /^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname !== '';
const isGeocoder = (text: string) =>
  text.includes('{query}') && /^https?:$/.test(URL.parse(text.replaceAll('{query}', 'x'))?.protocol ?? '');
const isHostAndPort = (text: string) => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(text);
const isKey = (text: string) => /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
const KEY = 'must be base64 of 32 bytes (openssl rand -base64 32)';

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    more.length === 0 &&
    (prefix === undefined ? bits > 0 : /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  );
}

const Raw = z.object({
  POSTGRES_URL: postgresUrl,
  POSTGRES_URL_NON_POOLING: postgresUrl,
  POSTGRES_DRIVER: z.optional(choice(['vercel', 'pg'])),
  UPSTASH_REDIS_REST_URL: z.optional(url),
  UPSTASH_REDIS_REST_TOKEN: text,
  S3_BUCKET: text,
  S3_REGION: text,
  S3_ENDPOINT: z.optional(url),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  GEOCODER_URL: z.optional(
    checked(isGeocoder, 'must be an http or https URL with {query} where the place belongs'),
  ),
  AI_BASE_URL: z.optional(httpUrl),
  AI_API_KEY: text,
  AI_MODEL: text,
  AI_DAILY_TOKENS: z.optional(integer(1, Number.MAX_SAFE_INTEGER)),
  SMTP_URL: z.optional(checked(isSmtpUrl, 'must be like smtps://user:password@host:465')),
  MAIL_FROM: z.optional(email),
  LEAD_RETENTION_DAYS: z._default(integer(1, 3_650), 365),
  OUTBOUND_ALLOW: list(isHostAndPort, 'must be host:port, with commas between'),
  OUTBOUND_ALLOW_IN_PRODUCTION: text,
  FEED_SECRET_KEY: z.optional(checked(isKey, KEY)),
  FEED_SECRET_KEY_OLD: list(isKey, KEY),
  ADMIN_TOKEN: text,
  CRON_SECRET: text,
  SUPPORT_EMAIL: z._default(email, 'support@example.com'),
  SALES_EMAIL: z._default(email, 'sales@example.com'),
  FAIR_USE: z._default(choice(['enforce', 'observe']), 'enforce'),
  DUAL_USE_MAKES: z._default(z.string(), DEFAULT_DUAL_USE),
  DATA_DIR: z._default(z.string(), '.data'),
  LOG: z._default(choice(['stdout', 'silent']), 'stdout'),
  PORT: z.optional(integer(0, 65_535)),
  VERCEL: text,
  VERCEL_ENV: text,
  PREVIEW_OUTBOUND: z.optional(choice(['yes', 'no'])),
  MIGRATE_PREVIEW: z.optional(choice(['yes', 'no'])),
  PUBLIC_URL: z.optional(httpUrl),
  TRUST_PROXY: list(isAddressRange, 'must be addresses or CIDR ranges'),
  VERCEL_PROJECT_PRODUCTION_URL: text,
  VERCEL_URL: text,
});

export type Env = ReturnType<typeof readEnv>;

/** The environment is not usable; `message` lists every fault, one a line. */
export class EnvError extends Error {
  override name = 'EnvError';
}

export const NO_DATABASE =
  'POSTGRES_URL (or DATABASE_URL): the platform keeps no files, so it needs a database';

type Source = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment; an empty variable counts as unset. Throws `EnvError`. */
export function readEnv(source: Source) {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const present = withMarketplaceNames(filled);
  const parsed = Raw.safeParse(present);
  const faults = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path[0]?.toString()}: ${message}`),
    ...groupFaults(present),
    ...productionFaults(present),
    ...tokenFaults(present),
  ];
  if (faults.length > 0 || !parsed.data)
    throw new EnvError(`The environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  const raw = parsed.data;
  const production = raw.VERCEL_ENV === 'production';
  return Object.freeze({
    ...readConnections(raw),
    /** Template of the geocoder that is asked for places the gazetteer does not know; `{query}` stands for the place. */
    geocoderUrl: raw.GEOCODER_URL ?? null,
    /** Of the AI provider on a day; null: as many as are asked for. */
    aiDailyTokens: raw.AI_DAILY_TOKENS ?? null,
    /** Days that leads and conversations are kept. */
    leadRetentionDays: raw.LEAD_RETENTION_DAYS,
    /** What may be fetched from although it is not public: `host:port`, in lower case. */
    outboundAllow: new Set(raw.OUTBOUND_ALLOW.map((entry) => entry.toLowerCase())),
    /** 32 bytes each in base64: the current key first, then those that feeds' secrets may still be sealed with. */
    feedSecretKeys: raw.FEED_SECRET_KEY ? [raw.FEED_SECRET_KEY, ...raw.FEED_SECRET_KEY_OLD] : [],
    adminToken: raw.ADMIN_TOKEN ?? null,
    cronSecret: raw.CRON_SECRET ?? null,
    supportEmail: raw.SUPPORT_EMAIL,
    salesEmail: raw.SALES_EMAIL,
    fairUse: raw.FAIR_USE,
    dualUseMakes: splitList(raw.DUAL_USE_MAKES),
    /** Folder of the local defaults. */
    dataDir: raw.DATA_DIR,
    log: raw.LOG,
    production,
    /** Where the service is reached, for links in mails; without a slash at the end. Null: unknown, and mails carry none. */
    publicUrl: readPublicUrl(raw.PUBLIC_URL, production ? raw.VERCEL_PROJECT_PRODUCTION_URL : raw.VERCEL_URL),
    /** Addresses and CIDR ranges of proxies of one's own, which name the visitor; on the platform its edge does. */
    trustProxy: raw.TRUST_PROXY,
    /** On the platform the schema is migrated by the build, elsewhere at the start. */
    onPlatform: Boolean(raw.VERCEL),
    /** Mails and webhooks leave, and leads are delivered: not from a preview, unless PREVIEW_OUTBOUND says so. */
    outbound: production || !raw.VERCEL || raw.PREVIEW_OUTBOUND === 'yes',
    /** By the build, which owns the database then. */
    migratedByBuild: Boolean(raw.VERCEL) && (production || raw.MIGRATE_PREVIEW === 'yes'),
  });
}

/** The platform's marketplace has names of its own; all of a store's, so that no half of another store is taken. */
function withMarketplaceNames(filled: Source): Source {
  return {
    ...(filled.POSTGRES_URL
      ? {}
      : { POSTGRES_URL: filled.DATABASE_URL, POSTGRES_URL_NON_POOLING: filled.DATABASE_URL_UNPOOLED }),
    ...(filled.UPSTASH_REDIS_REST_URL
      ? {}
      : {
          UPSTASH_REDIS_REST_URL: filled.KV_REST_API_URL,
          UPSTASH_REDIS_REST_TOKEN: filled.KV_REST_API_TOKEN,
        }),
    ...filled,
  };
}

const MIN_TOKEN = 32;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whoever guesses ADMIN_TOKEN has every account, and everyone can try where the service is reached from outside. */
function tokenFaults(present: Source): string[] {
  const isDeployed = (present.VERCEL_ENV ?? 'development') !== 'development';
  if (!isDeployed && !present.TRUST_PROXY && LOOPBACK.test(present.HOST?.trim() ?? 'localhost')) return [];
  return (['ADMIN_TOKEN', 'CRON_SECRET'] as const)
    .filter((name) => (present[name] ?? 'x'.repeat(MIN_TOKEN)).length < MIN_TOKEN)
    .map((name) => `${name}: must have ${MIN_TOKEN} characters or more (openssl rand -hex 32)`);
}

/** What is set together or not at all. */
const GROUPS = [
  ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['AI_BASE_URL', 'AI_API_KEY', 'AI_MODEL'],
  ['SMTP_URL', 'MAIL_FROM'],
];

function groupFaults(present: Source): string[] {
  return GROUPS.flatMap((group) => {
    const missing = group.filter((name) => !present[name]);
    const isWhole = missing.length === 0 || missing.length === group.length;
    return isWhole ? [] : [`${missing.join(', ')}: missing; set all of ${group.join(', ')}, or none`];
  });
}

const PRODUCTION_GROUP = [
  'POSTGRES_URL',
  'UPSTASH_REDIS_REST_URL',
  'CRON_SECRET',
  'FEED_SECRET_KEY',
  'SUPPORT_EMAIL',
  'SALES_EMAIL',
] as const;

function productionFaults(present: Source): string[] {
  if (present.VERCEL_ENV !== 'production') return [];
  const missing = PRODUCTION_GROUP.filter((name) => !present[name]);
  const isOpen = present.OUTBOUND_ALLOW && !present.OUTBOUND_ALLOW_IN_PRODUCTION;
  return [
    ...missing.map((name) => `${name}: required in production, where the local defaults would lose data`),
    ...(isOpen
      ? [
          'OUTBOUND_ALLOW: opens a way into private networks; in production set OUTBOUND_ALLOW_IN_PRODUCTION as well, or neither',
        ]
      : []),
  ];
}

/** The groups whose members are set together; null where a group is not set. */
function readConnections(raw: z.infer<typeof Raw>) {
  return {
    /** Null: `npm start` brings a server of its own, whose data is in `dataDir`; elsewhere nothing is served. */
    postgres: raw.POSTGRES_URL
      ? {
          url: raw.POSTGRES_URL,
          directUrl: raw.POSTGRES_URL_NON_POOLING ?? raw.POSTGRES_URL,
          driver:
            raw.POSTGRES_DRIVER ??
            (/\.neon\.tech\b|\.vercel-storage\.com\b/.test(raw.POSTGRES_URL) ? 'vercel' : 'pg'),
        }
      : null,
    /** Null: the limiter in memory. */
    upstash:
      raw.UPSTASH_REDIS_REST_URL && raw.UPSTASH_REDIS_REST_TOKEN
        ? {
            url: raw.UPSTASH_REDIS_REST_URL,
            token: raw.UPSTASH_REDIS_REST_TOKEN,
            prefix: readRedisPrefix(raw.VERCEL_ENV),
          }
        : null,
    /** Null: a folder in `dataDir`; in production none, and images wait. */
    s3:
      raw.S3_BUCKET && raw.S3_REGION && raw.S3_ACCESS_KEY_ID && raw.S3_SECRET_ACCESS_KEY
        ? {
            bucket: raw.S3_BUCKET,
            region: raw.S3_REGION,
            endpoint: raw.S3_ENDPOINT ?? null,
            accessKeyId: raw.S3_ACCESS_KEY_ID,
            secretAccessKey: raw.S3_SECRET_ACCESS_KEY,
          }
        : null,
    /** Null: chat answers CONFIG_ERROR. */
    ai:
      raw.AI_BASE_URL && raw.AI_API_KEY && raw.AI_MODEL
        ? { baseUrl: raw.AI_BASE_URL, apiKey: raw.AI_API_KEY, model: raw.AI_MODEL }
        : null,
    /** Null: mails become files in `dataDir`; in production none is sent. */
    smtp: raw.SMTP_URL && raw.MAIL_FROM ? { url: raw.SMTP_URL, from: raw.MAIL_FROM } : null,
  } as const;
}

/** A preview may have production's Redis: it neither uses up its limits nor lets its database sleep. */
const readRedisPrefix = (environment = 'production') =>
  environment === 'production' ? 'ctis' : `ctis:${environment}`;

function readPublicUrl(url: string | undefined, platformHost: string | undefined): string | null {
  if (url !== undefined) return url.replace(/\/$/, '');
  return platformHost === undefined ? null : `https://${platformHost}`;
}
