import { isIP } from 'node:net';
import * as z from 'zod/mini';

/** process.env → one validated, frozen value. All problems are reported together. */

const text = z.optional(z.string());
const DEFAULT_DUAL_USE = 'Ford,Chevrolet,GMC,Ram,Dodge';

/** What the platform's marketplace calls the variables of its stores. */
const MARKETPLACE_NAMES = [
  [
    ['POSTGRES_URL', 'DATABASE_URL'],
    ['POSTGRES_URL_NON_POOLING', 'DATABASE_URL_UNPOOLED'],
  ],
  [
    ['UPSTASH_REDIS_REST_URL', 'KV_REST_API_URL'],
    ['UPSTASH_REDIS_REST_TOKEN', 'KV_REST_API_TOKEN'],
  ],
] as const;
const S3_GROUP = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const AI_GROUP = ['AI_BASE_URL', 'AI_API_KEY', 'AI_MODEL'] as const;
const HOST_AND_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/;
const KEY_OF_32_BYTES = /^[A-Za-z0-9+/_-]{43}=?$/;
const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
const email = z.email('must be an e-mail address');
const isSmtpUrl = (sent: string) =>
  /^smtps?:$/.test(URL.parse(sent)?.protocol ?? '') && URL.parse(sent)?.hostname !== '';
const isDays = (sent: string) => /^\d{1,4}$/.test(sent.trim()) && Number(sent) >= 1 && Number(sent) <= 3_650;
const isTokens = (sent: string) => /^[1-9]\d{0,14}$/.test(sent.trim());
const isPort = (sent: string) => /^\d{1,5}$/.test(sent.trim()) && Number(sent) <= 65_535;

function isAddressRange(sent: string): boolean {
  const [address = '', prefix, ...more] = sent.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    more.length === 0 &&
    (prefix === undefined ? bits > 0 : /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  );
}

const isGeocoder = (sent: string) =>
  sent.includes('{query}') && /^https?:$/.test(URL.parse(sent.replaceAll('{query}', 'x'))?.protocol ?? '');

const Raw = z.object({
  POSTGRES_URL: text,
  POSTGRES_URL_NON_POOLING: text,
  POSTGRES_DRIVER: z.optional(choice(['vercel', 'pg', 'citus'])),
  UPSTASH_REDIS_REST_URL: z.optional(z.url('must be a URL')),
  UPSTASH_REDIS_REST_TOKEN: text,
  S3_BUCKET: text,
  S3_REGION: text,
  S3_ENDPOINT: z.optional(z.url('must be a URL')),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  GEOCODER_URL: z.optional(
    z
      .string()
      .check(z.refine(isGeocoder, 'must be an http or https URL with {query} where the place belongs')),
  ),
  AI_BASE_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })),
  AI_API_KEY: text,
  AI_MODEL: text,
  AI_DAILY_TOKENS: z.optional(z.string().check(z.refine(isTokens, 'must be a number of tokens, 1 or more'))),
  SMTP_URL: z.optional(z.string().check(z.refine(isSmtpUrl, 'must be like smtps://user:password@host:465'))),
  MAIL_FROM: z.optional(email),
  LEAD_RETENTION_DAYS: z._default(
    z.string().check(z.refine(isDays, 'must be a number of days, 1 to 3650')),
    '365',
  ),
  OUTBOUND_ALLOW: z._default(z.string(), ''),
  OUTBOUND_ALLOW_IN_PRODUCTION: text,
  FEED_SECRET_KEY: text,
  FEED_SECRET_KEY_OLD: text,
  ADMIN_TOKEN: text,
  CRON_SECRET: text,
  SUPPORT_EMAIL: z._default(email, 'support@example.com'),
  SALES_EMAIL: z._default(email, 'sales@example.com'),
  FAIR_USE: z._default(choice(['enforce', 'observe']), 'enforce'),
  DUAL_USE_MAKES: z._default(z.string(), DEFAULT_DUAL_USE),
  DATA_DIR: z._default(z.string(), '.data'),
  LOG: z._default(choice(['stdout', 'silent']), 'stdout'),
  PORT: z.optional(z.string().check(z.refine(isPort, 'must be a port number, 0 to 65535'))),
  VERCEL: text,
  VERCEL_ENV: text,
  PREVIEW_OUTBOUND: z.optional(choice(['yes', 'no'])),
  MIGRATE_PREVIEW: z.optional(choice(['yes', 'no'])),
  PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })),
  TRUST_PROXY: z._default(
    z
      .string()
      .check(z.refine((sent) => splitList(sent).every(isAddressRange), 'must be addresses or CIDR ranges')),
    '',
  ),
  VERCEL_PROJECT_PRODUCTION_URL: text,
  VERCEL_URL: text,
});

export interface Env {
  /** Null: `npm start` brings a server of its own, whose data is in `dataDir`; elsewhere nothing is served. */
  postgres: { url: string; directUrl: string; driver: 'vercel' | 'pg' | 'citus' } | null;
  /** Null: the limiter in memory. */
  upstash: { url: string; token: string; prefix: string } | null;
  /** Null: a folder in `dataDir`; in production none, and images wait. */
  s3: {
    bucket: string;
    region: string;
    endpoint: string | null;
    accessKeyId: string;
    secretAccessKey: string;
  } | null;
  /** Template of the geocoder that is asked for places the gazetteer does not know; `{query}` stands for the place. */
  geocoderUrl: string | null;
  /** Null: chat answers CONFIG_ERROR. */
  ai: { baseUrl: string; apiKey: string; model: string } | null;
  /** Of the AI provider on a day; null: as many as are asked for. */
  aiDailyTokens: number | null;
  /** Null: mails become files in `dataDir`; in production none is sent. */
  smtp: { url: string; from: string } | null;
  /** Days that leads and conversations are kept. */
  leadRetentionDays: number;
  /** What may be fetched from although it is not public: `host:port`, in lower case. */
  outboundAllow: ReadonlySet<string>;
  /** 32 bytes each in base64: the current key first, then those that feeds' secrets may still be sealed with. */
  feedSecretKeys: readonly string[];
  adminToken: string | null;
  cronSecret: string | null;
  supportEmail: string;
  salesEmail: string;
  fairUse: 'enforce' | 'observe';
  dualUseMakes: readonly string[];
  /** Folder of the local defaults. */
  dataDir: string;
  log: 'stdout' | 'silent';
  /** The local defaults would lose data. */
  production: boolean;
  /** Where the service is reached, for links in mails; without a slash at the end. Null: unknown, and mails carry none. */
  publicUrl: string | null;
  /** Addresses and CIDR ranges of proxies of one's own, which name the visitor; on the platform its edge does. */
  trustProxy: readonly string[];
  /** On the platform the schema is migrated by the build, elsewhere before the first query. */
  onPlatform: boolean;
  /** Mails and webhooks leave, and leads are delivered: not from a preview, unless PREVIEW_OUTBOUND says so. */
  outbound: boolean;
  /** By the build, which owns the database then. */
  migratedByBuild: boolean;
}

/** The environment is not usable; `message` lists every fault, one a line. */
export class EnvError extends Error {
  override name = 'EnvError';
}

export const NO_DATABASE =
  'POSTGRES_URL (or DATABASE_URL): the platform keeps no files, so it needs a database';

type Source = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment; an empty variable counts as unset. Throws `EnvError`. */
export function readEnv(source: Source): Env {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const otherNames = findOtherNames(filled);
  const present: Source = {
    ...Object.fromEntries([...otherNames].map(([name, other]) => [name, filled[other]])),
    ...filled,
  };
  const parsed = Raw.safeParse(present);
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...groupFaults(present),
    ...outboundFaults(present),
    ...feedKeyFaults(present),
    ...databaseFaults(present),
    ...tokenFaults(present),
  ];
  if (faults.length > 0 || !parsed.data)
    throw new EnvError(
      `The environment is not usable:\n${faults.map((fault) => `  - ${nameOthers(fault, otherNames, filled)}`).join('\n')}`,
    );
  const raw = parsed.data;
  const production = raw.VERCEL_ENV === 'production';
  return Object.freeze({
    ...readConnections(raw),
    geocoderUrl: raw.GEOCODER_URL?.trim() ?? null,
    aiDailyTokens: raw.AI_DAILY_TOKENS === undefined ? null : Number(raw.AI_DAILY_TOKENS),
    leadRetentionDays: Number(raw.LEAD_RETENTION_DAYS),
    outboundAllow: new Set(readOutboundAllow(present)),
    feedSecretKeys: readFeedKeys(present),
    adminToken: raw.ADMIN_TOKEN ?? null,
    cronSecret: raw.CRON_SECRET ?? null,
    supportEmail: raw.SUPPORT_EMAIL,
    salesEmail: raw.SALES_EMAIL,
    fairUse: raw.FAIR_USE,
    dualUseMakes: splitList(raw.DUAL_USE_MAKES),
    dataDir: raw.DATA_DIR,
    log: raw.LOG,
    production,
    publicUrl: readPublicUrl(raw.PUBLIC_URL, production ? raw.VERCEL_PROJECT_PRODUCTION_URL : raw.VERCEL_URL),
    trustProxy: splitList(raw.TRUST_PROXY),
    onPlatform: Boolean(raw.VERCEL),
    outbound: production || !raw.VERCEL || raw.PREVIEW_OUTBOUND === 'yes',
    migratedByBuild: Boolean(raw.VERCEL) && (production || raw.MIGRATE_PREVIEW === 'yes'),
  } satisfies Env);
}

/** Our unset names, each with the marketplace's. None of a store whose URL is set: its other half would be another store's. */
function findOtherNames(filled: Source): Map<string, string> {
  const unset = MARKETPLACE_NAMES.filter(([[url]]) => !filled[url]).flat();
  return new Map(unset.filter(([name]) => !filled[name]));
}

/** The fault in the names that are set, or may be. */
const nameOthers = (fault: string, otherNames: ReadonlyMap<string, string>, filled: Source) =>
  fault.replace(/[A-Z_]+/g, (name) => {
    const other = otherNames.get(name);
    if (other === undefined) return name;
    return filled[other] ? other : `${name} (or ${other})`;
  });

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

const splitList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const readOutboundAllow = (present: Source) => splitList(present.OUTBOUND_ALLOW?.toLowerCase());

const readFeedKeys = (present: Source) => [
  ...(present.FEED_SECRET_KEY ? [present.FEED_SECRET_KEY.trim()] : []),
  ...splitList(present.FEED_SECRET_KEY_OLD),
];

function groupFaults(present: Source): string[] {
  const faults: string[] = [];
  if (!present.UPSTASH_REDIS_REST_URL !== !present.UPSTASH_REDIS_REST_TOKEN)
    faults.push('UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: set both or neither');
  const s3 = S3_GROUP.filter((name) => !present[name]);
  if (s3.length > 0 && (s3.length < S3_GROUP.length || present.S3_ENDPOINT))
    faults.push(`${s3.join(', ')}: missing; set all of ${S3_GROUP.join(', ')}, or none`);
  const ai = AI_GROUP.filter((name) => !present[name]);
  if (ai.length > 0 && ai.length < AI_GROUP.length)
    faults.push(`${ai.join(', ')}: missing; set all of ${AI_GROUP.join(', ')}, or none`);
  if (!present.SMTP_URL !== !present.MAIL_FROM) faults.push('SMTP_URL and MAIL_FROM: set both or neither');
  return faults;
}

function outboundFaults(present: Source): string[] {
  const faults: string[] = [];
  const strange = readOutboundAllow(present).filter((entry) => !HOST_AND_PORT.test(entry));
  if (strange.length > 0) faults.push(`OUTBOUND_ALLOW: not host:port: ${strange.join(', ')}`);
  if (present.VERCEL_ENV === 'production' && present.OUTBOUND_ALLOW && !present.OUTBOUND_ALLOW_IN_PRODUCTION)
    faults.push(
      'OUTBOUND_ALLOW: opens a way into private networks; in production set OUTBOUND_ALLOW_IN_PRODUCTION as well, or neither',
    );
  return faults;
}

function feedKeyFaults(present: Source): string[] {
  const faults: string[] = [];
  if (present.FEED_SECRET_KEY_OLD && !present.FEED_SECRET_KEY)
    faults.push('FEED_SECRET_KEY: missing; FEED_SECRET_KEY_OLD only opens what was sealed before');
  if (!readFeedKeys(present).every((key) => KEY_OF_32_BYTES.test(key)))
    faults.push(
      'FEED_SECRET_KEY, FEED_SECRET_KEY_OLD: each key is base64 of 32 bytes (openssl rand -base64 32)',
    );
  return faults;
}

const PRODUCTION_GROUP = [
  'POSTGRES_URL',
  'UPSTASH_REDIS_REST_URL',
  'CRON_SECRET',
  'FEED_SECRET_KEY',
  'SUPPORT_EMAIL',
  'SALES_EMAIL',
] as const;

function databaseFaults(present: Source): string[] {
  const faults: string[] = [];
  for (const name of ['POSTGRES_URL', 'POSTGRES_URL_NON_POOLING'] as const)
    if (present[name] && !/^postgres(ql)?:\/\//.test(present[name]))
      faults.push(`${name}: must start with postgres://`);
  if (present.VERCEL && present.MIGRATE_PREVIEW === 'yes' && !present.POSTGRES_URL)
    faults.push('MIGRATE_PREVIEW: POSTGRES_URL names no database to migrate; set it, or leave both unset');
  if (present.VERCEL_ENV !== 'production') return faults;
  const missing = PRODUCTION_GROUP.filter((name) => !present[name]);
  return [
    ...faults,
    ...missing.map((name) => `${name}: required in production, where the local defaults would lose data`),
  ];
}

/** The groups whose members are set together; null where a group is not set. */
function readConnections(raw: z.infer<typeof Raw>) {
  return {
    postgres: raw.POSTGRES_URL
      ? {
          url: raw.POSTGRES_URL,
          directUrl: raw.POSTGRES_URL_NON_POOLING ?? raw.POSTGRES_URL,
          driver:
            raw.POSTGRES_DRIVER ??
            (/\.neon\.tech\b|\.vercel-storage\.com\b/.test(raw.POSTGRES_URL) ? 'vercel' : 'pg'),
        }
      : null,
    upstash:
      raw.UPSTASH_REDIS_REST_URL && raw.UPSTASH_REDIS_REST_TOKEN
        ? {
            url: raw.UPSTASH_REDIS_REST_URL,
            token: raw.UPSTASH_REDIS_REST_TOKEN,
            prefix: readRedisPrefix(raw.VERCEL_ENV),
          }
        : null,
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
    ai:
      raw.AI_BASE_URL && raw.AI_API_KEY && raw.AI_MODEL
        ? { baseUrl: raw.AI_BASE_URL, apiKey: raw.AI_API_KEY, model: raw.AI_MODEL }
        : null,
    smtp: raw.SMTP_URL && raw.MAIL_FROM ? { url: raw.SMTP_URL, from: raw.MAIL_FROM } : null,
  } satisfies Partial<Env>;
}

/** A preview may have production's Redis: it neither uses up its limits nor lets its database sleep. */
const readRedisPrefix = (environment = 'production') =>
  environment === 'production' ? 'ctis' : `ctis:${environment}`;

function readPublicUrl(url: string | undefined, platformHost: string | undefined): string | null {
  if (url !== undefined) return url.replace(/\/$/, '');
  return platformHost === undefined ? null : `https://${platformHost}`;
}
