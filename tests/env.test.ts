import { describe, expect, test } from 'vitest';
import { type Env, EnvError, readEnv } from '../lib/env.ts';
import { PRODUCTION } from './support/samples/production-env.ts';

function listFaults(env: Record<string, string>): string[] {
  try {
    readEnv(env);
    return [];
  } catch (error) {
    if (error instanceof EnvError)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.slice(4));
    throw error;
  }
}

const KEYS = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string, string];
const SHORT_KEY = Buffer.alloc(16).toString('base64');

test.each<[variables: Record<string, string>, member: keyof Env, value: unknown]>([
  [{}, 'aiDailyTokens', null],
  [{ AI_DAILY_TOKENS: '2000000' }, 'aiDailyTokens', 2_000_000],
  [{}, 'leadRetentionDays', 365],
  [{ LEAD_RETENTION_DAYS: ' 30 ' }, 'leadRetentionDays', 30],
  [{ GEOCODER_URL: 'https://geo.example/?q={query}' }, 'geocoderUrl', 'https://geo.example/?q={query}'],
  [{}, 'outboundAllow', new Set()],
  [
    { OUTBOUND_ALLOW: ' 127.0.0.1:9000, Images.Internal:80 ,[::1]:81' },
    'outboundAllow',
    new Set(['127.0.0.1:9000', 'images.internal:80', '[::1]:81']),
  ],
  [{}, 'trustProxy', []],
  [{ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' }, 'trustProxy', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
  [{}, 'feedSecretKeys', []],
  [{ FEED_SECRET_KEY: KEYS[0], FEED_SECRET_KEY_OLD: ` ${KEYS[1]},${KEYS[2]} ` }, 'feedSecretKeys', KEYS],
  [{ FAIR_USE: '', PORT: ' ', POSTGRES_URL: '' }, 'fairUse', 'enforce'],
])('%o is read as %s', (variables, member, value) => {
  expect(readEnv(variables)[member]).toEqual(value);
});

test.each([
  ['AI_DAILY_TOKENS', ['0', '-1', '1.5', '1e6', 'many']],
  ['LEAD_RETENTION_DAYS', ['0', '-1', '1.5', 'forever', '3651']],
  ['PORT', ['http', '70000']],
  ['GEOCODER_URL', ['https://geo.example/search', 'ftp://geo.example/{query}', '{query}']],
  [
    'OUTBOUND_ALLOW',
    [
      '*',
      'host',
      'http://host:80',
      'host:80/path',
      'host:',
      ':80',
      '10.0.0.0/8:80',
      'a:80 b:80',
      '*.internal:80',
    ],
  ],
  [
    'TRUST_PROXY',
    ['1', 'true', '*', 'proxy.internal', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1:80'],
  ],
  ['FEED_SECRET_KEY', [SHORT_KEY, 'x']],
  ['FEED_SECRET_KEY_OLD', [`${KEYS[0]},${SHORT_KEY}`]],
  ['POSTGRES_DRIVER', ['mysql']],
  ['FAIR_USE', ['maybe']],
  ['MIGRATE_PREVIEW', ['true']],
])('%s is refused as %j', (name, values) => {
  for (const value of values)
    expect(listFaults({ [name]: value })).toEqual([expect.stringMatching(`^${name}: must be `)]);
});

test.each([
  ['s3', { S3_BUCKET: 'trucks', S3_REGION: 'us-east-1', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'x' }],
  ['ai', { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_API_KEY: 'key', AI_MODEL: 'small' }],
  ['smtp', { SMTP_URL: 'smtps://me:secret@mail.example:465', MAIL_FROM: 'leads@trucks.example' }],
  ['upstash', { UPSTASH_REDIS_REST_URL: 'https://redis.example', UPSTASH_REDIS_REST_TOKEN: 'token' }],
] as const)('%s: all of its variables or none', (member, group: Readonly<Record<string, string>>) => {
  expect(readEnv({})[member]).toBeNull();
  expect(readEnv(group)[member]).not.toBeNull();
  for (const name of Object.keys(group))
    expect(listFaults({ ...group, [name]: '' })).toEqual([
      expect.stringContaining(`${name}: missing; set all of`),
    ]);
});

test.each(['ADMIN_TOKEN', 'CRON_SECRET'])('%s has 32 characters wherever strangers can try it', (name) => {
  const reached = [
    PRODUCTION,
    { VERCEL: '1', VERCEL_ENV: 'preview' },
    { TRUST_PROXY: '127.0.0.1' },
    ...['0.0.0.0', '::', '192.168.1.5', 'box.lan'].map((HOST) => ({ HOST })),
  ];
  for (const place of reached) {
    expect(listFaults({ ...place, [name]: 'x'.repeat(31) })).toEqual([
      expect.stringContaining(`${name}: must have 32 characters or more`),
    ]);
    expect(listFaults({ ...place, [name]: 'x'.repeat(32) })).toEqual([]);
  }
  for (const HOST of ['127.0.0.1', '127.8.8.8', 'localhost', '::1', ' '])
    expect(listFaults({ HOST, [name]: 'short' }), HOST).toEqual([]);
});

describe('the names that the marketplace sets', () => {
  const NEON = {
    DATABASE_URL: 'postgres://u@ep-x-pooler.eu.neon.tech/d',
    DATABASE_URL_UNPOOLED: 'postgres://u@ep-x.eu.neon.tech/d',
  };
  const KV = { KV_REST_API_URL: 'https://kv.example', KV_REST_API_TOKEN: 'kv' };

  test('are taken where ours are unset, in production too', () => {
    const unset = { POSTGRES_URL: '', UPSTASH_REDIS_REST_URL: '', UPSTASH_REDIS_REST_TOKEN: '' };
    const env = readEnv({ ...PRODUCTION, ...unset, ...NEON, ...KV });
    const [url, directUrl] = Object.values(NEON);
    expect(env.postgres).toEqual({ url, directUrl, driver: 'vercel' });
    expect(env.upstash).toMatchObject({ url: 'https://kv.example', token: 'kv' });
  });

  test('give way to ours, and lend them no half of another store', () => {
    const own = {
      POSTGRES_URL: 'postgres://me@db.example/mine',
      UPSTASH_REDIS_REST_URL: 'https://mine.example',
    };
    const { postgres, upstash } = readEnv({ ...own, UPSTASH_REDIS_REST_TOKEN: 'mine', ...NEON, ...KV });
    expect(postgres).toEqual({ url: own.POSTGRES_URL, directUrl: own.POSTGRES_URL, driver: 'pg' });
    expect(upstash).toMatchObject({ url: own.UPSTASH_REDIS_REST_URL, token: 'mine' });
    expect(listFaults({ ...own, ...KV })).toEqual([
      expect.stringContaining('UPSTASH_REDIS_REST_TOKEN: missing'),
    ]);
  });
});

test('all problems are reported together, with what would be right', () => {
  const faults = listFaults({
    SUPPORT_EMAIL: 'nobody',
    LOG: 'loud',
    POSTGRES_URL: 'mysql://x',
    S3_BUCKET: 'b',
  });
  expect(faults).toEqual([
    'POSTGRES_URL: must start with postgres://',
    'SUPPORT_EMAIL: must be an e-mail address',
    'LOG: must be one of stdout, silent',
    expect.stringContaining('S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: missing'),
  ]);
});

test('production refuses the local defaults, and starts without object store and mail; elsewhere nothing is needed', () => {
  const required = [
    'POSTGRES_URL',
    'UPSTASH_REDIS_REST_URL',
    'CRON_SECRET',
    'FEED_SECRET_KEY',
    'SUPPORT_EMAIL',
    'SALES_EMAIL',
  ];
  const faults = listFaults({ VERCEL_ENV: 'production' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(required);
  expect(readEnv(PRODUCTION)).toMatchObject({ production: true, s3: null, smtp: null });
  expect(listFaults({})).toEqual([]);
});

test('production opens no private network, unless that is said twice', () => {
  const opened = { ...PRODUCTION, OUTBOUND_ALLOW: '10.0.0.5:80' };
  expect(listFaults(opened)).toEqual([expect.stringContaining('OUTBOUND_ALLOW_IN_PRODUCTION')]);
  expect(listFaults({ ...opened, OUTBOUND_ALLOW_IN_PRODUCTION: 'yes' })).toEqual([]);
  expect(listFaults({ ...opened, VERCEL_ENV: 'preview' })).toEqual([]);
});

test('a preview shares no key in Redis with production, links to itself, and is migrated only when it says so', () => {
  const hosts = { VERCEL_PROJECT_PRODUCTION_URL: 'trucks.example', VERCEL_URL: 'trucks-git-x.example' };
  const read = (more: Record<string, string>) => {
    const { upstash, publicUrl, migratedByBuild } = readEnv({ ...PRODUCTION, ...hosts, ...more });
    return [upstash?.prefix, publicUrl, migratedByBuild];
  };
  expect(read({})).toEqual(['ctis', 'https://trucks.example', true]);
  const preview = { VERCEL_ENV: 'preview' };
  expect(read(preview)).toEqual(['ctis:preview', 'https://trucks-git-x.example', false]);
  expect(read({ ...preview, MIGRATE_PREVIEW: 'yes' })[2]).toBe(true);
  expect(readEnv({ MIGRATE_PREVIEW: 'yes' }).migratedByBuild).toBe(false);
});
