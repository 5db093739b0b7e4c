import { describe, expect, test } from 'vitest';
import { EnvError, readEnv } from '../lib/env.ts';
import { PRODUCTION } from './support/samples/production-env.ts';

const S3 = {
  S3_BUCKET: 'trucks',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
} as const;

function listFaults(env: Record<string, string>): string {
  try {
    readEnv(env);
    return '';
  } catch (error) {
    if (error instanceof EnvError) return error.message;
    throw error;
  }
}

describe('object store', () => {
  test('all of its variables or none', () => {
    expect(readEnv({}).s3).toBeNull();
    expect(readEnv(S3).s3).toMatchObject({ bucket: 'trucks', endpoint: null });
    expect(readEnv({ ...S3, S3_ENDPOINT: 'http://127.0.0.1:9000' }).s3?.endpoint).toBe(
      'http://127.0.0.1:9000',
    );
    for (const name of Object.keys(S3)) {
      expect(listFaults({ ...S3, [name]: '' }), name).toContain(`${name}: missing`);
      expect(listFaults({ [name]: 'x' }), name).toContain('missing');
    }
    expect(listFaults({ S3_ENDPOINT: 'http://127.0.0.1:9000' })).toContain('S3_BUCKET');
  });

  test('production starts without one', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ production: true, s3: null });
  });
});

test('the assistant: all of its variables or none', () => {
  const AI = { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_API_KEY: 'key', AI_MODEL: 'small' } as const;
  expect(readEnv({}).ai).toBeNull();
  expect(readEnv(AI).ai).toEqual({ baseUrl: AI.AI_BASE_URL, apiKey: 'key', model: 'small' });
  for (const name of Object.keys(AI))
    expect(listFaults({ ...AI, [name]: '' }), name).toContain(`${name}: missing`);
  expect(listFaults({ ...AI, AI_BASE_URL: 'ftp://x' })).toContain('AI_BASE_URL: must be an http(s) URL');
});

describe('ADMIN_TOKEN and CRON_SECRET', () => {
  const README_SAMPLE = 'choose-a-long-one';
  const LONG = 'x'.repeat(32);

  test.each(['ADMIN_TOKEN', 'CRON_SECRET'])('%s has 32 characters wherever strangers can try it', (name) => {
    const reached = [
      PRODUCTION,
      { VERCEL: '1', VERCEL_ENV: 'preview' },
      { TRUST_PROXY: '127.0.0.1' },
      { HOST: '0.0.0.0' },
      { HOST: '::' },
      { HOST: '192.168.1.5' },
      { HOST: 'box.lan' },
    ];
    for (const place of reached) {
      for (const token of [README_SAMPLE, 'x'.repeat(31)])
        expect(listFaults({ ...place, [name]: token })).toContain(`${name}: must have 32 characters or more`);
      expect(listFaults({ ...place, [name]: LONG })).toBe('');
    }
  });

  test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1', ' ', undefined])('any will do on %s', (host) => {
    const { adminToken } = readEnv({
      ADMIN_TOKEN: 'short',
      CRON_SECRET: 'x',
      ...(host ? { HOST: host } : {}),
    });
    expect(adminToken).toBe('short');
  });
});

describe('the names that the marketplace sets', () => {
  const NEON = {
    DATABASE_URL: 'postgres://u@ep-x-pooler.eu.neon.tech/d',
    DATABASE_URL_UNPOOLED: 'postgres://u@ep-x.eu.neon.tech/d',
  };
  const KV = { KV_REST_API_URL: 'https://kv.example', KV_REST_API_TOKEN: 'kv' };

  test('are taken where ours are unset, in production too', () => {
    const {
      POSTGRES_URL: _,
      UPSTASH_REDIS_REST_URL: __,
      UPSTASH_REDIS_REST_TOKEN: ___,
      ...rest
    } = PRODUCTION;
    const env = readEnv({ ...rest, ...NEON, ...KV });
    expect(env.postgres).toEqual({
      url: NEON.DATABASE_URL,
      directUrl: NEON.DATABASE_URL_UNPOOLED,
      driver: 'vercel',
    });
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
    expect(listFaults({ ...own, ...KV })).toContain(
      '- UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: set both or neither',
    );
  });

  test('stand in the faults: the one that is set, or both that may be', () => {
    expect(listFaults({ DATABASE_URL: 'mysql://x' })).toContain(
      '- DATABASE_URL: must start with postgres://',
    );
    expect(listFaults({ ...NEON, DATABASE_URL_UNPOOLED: 'ep-x.eu.neon.tech' })).toContain(
      '- DATABASE_URL_UNPOOLED: must start with postgres://',
    );
    expect(listFaults({ KV_REST_API_URL: 'kv', KV_REST_API_TOKEN: 'x' })).toContain(
      '- KV_REST_API_URL: must be a URL',
    );
    expect(listFaults({ KV_REST_API_URL: 'https://kv.example' })).toContain(
      '- KV_REST_API_URL and UPSTASH_REDIS_REST_TOKEN (or KV_REST_API_TOKEN): set both or neither',
    );
    const missing = listFaults({ VERCEL_ENV: 'production' });
    expect(missing).toContain('- POSTGRES_URL (or DATABASE_URL): required in production');
    expect(missing).toContain('- UPSTASH_REDIS_REST_URL (or KV_REST_API_URL): required in production');
  });
});

describe('mail', () => {
  const MAIL = { SMTP_URL: 'smtps://me:secret@mail.example:465', MAIL_FROM: 'leads@trucks.example' };

  test('both of its variables or none; production starts without', () => {
    expect(readEnv({}).smtp).toBeNull();
    expect(readEnv(PRODUCTION).smtp).toBeNull();
    expect(readEnv(MAIL).smtp).toEqual({ url: MAIL.SMTP_URL, from: MAIL.MAIL_FROM });
    for (const name of Object.keys(MAIL))
      expect(listFaults({ ...MAIL, [name]: '' }), name).toContain('SMTP_URL and MAIL_FROM');
    for (const url of ['http://mail.example', 'mail.example:25', 'smtp://'])
      expect(listFaults({ ...MAIL, SMTP_URL: url }), url).toContain('SMTP_URL: must be like smtps://');
    expect(listFaults({ ...MAIL, MAIL_FROM: 'Leads' })).toContain('MAIL_FROM: must be an e-mail address');
  });

  test('AI_DAILY_TOKENS is a positive number, or as many as are asked for', () => {
    expect(readEnv({}).aiDailyTokens).toBe(null);
    expect(readEnv({ AI_DAILY_TOKENS: '2000000' }).aiDailyTokens).toBe(2_000_000);
    for (const tokens of ['0', '-1', '1.5', '1e6', 'many'])
      expect(listFaults({ AI_DAILY_TOKENS: tokens }), tokens).toContain('AI_DAILY_TOKENS');
  });

  test('leads are kept for a year unless it says otherwise', () => {
    expect(readEnv({}).leadRetentionDays).toBe(365);
    expect(readEnv({ LEAD_RETENTION_DAYS: '30' }).leadRetentionDays).toBe(30);
    for (const days of ['0', '-1', '1.5', 'forever', '3651'])
      expect(listFaults({ LEAD_RETENTION_DAYS: days }), days).toContain('LEAD_RETENTION_DAYS');
  });
});

describe('OUTBOUND_ALLOW', () => {
  test('is a list of host:port, read in lower case', () => {
    const { outboundAllow } = readEnv({ OUTBOUND_ALLOW: ' 127.0.0.1:9000, Images.Internal:80 ,[::1]:81' });
    expect([...outboundAllow]).toEqual(['127.0.0.1:9000', 'images.internal:80', '[::1]:81']);
    expect(readEnv({}).outboundAllow.size).toBe(0);
  });

  test.each([
    '*',
    'host',
    'http://host:80',
    'host:80/path',
    'host:',
    ':80',
    '10.0.0.0/8:80',
    'a:80 b:80',
    '*.internal:80',
  ])('%s is refused', (value) => {
    expect(listFaults({ OUTBOUND_ALLOW: value })).toContain('OUTBOUND_ALLOW: not host:port');
  });

  test('is refused in production, unless that is said twice', () => {
    const opened = { ...PRODUCTION, OUTBOUND_ALLOW: '10.0.0.5:80' };
    expect(listFaults(opened)).toContain('OUTBOUND_ALLOW_IN_PRODUCTION');
    expect(readEnv({ ...opened, OUTBOUND_ALLOW_IN_PRODUCTION: 'yes' }).outboundAllow.has('10.0.0.5:80')).toBe(
      true,
    );
    expect(listFaults({ ...opened, VERCEL_ENV: 'preview' })).toBe('');
  });
});

describe('TRUST_PROXY', () => {
  test('is a list of addresses and CIDR ranges', () => {
    expect(readEnv({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' }).trustProxy).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      'fd00::/8',
    ]);
    expect(readEnv({}).trustProxy).toEqual([]);
  });

  test.each(['1', 'true', '*', 'proxy.internal', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1:80'])(
    '%s is refused',
    (value) => {
      expect(listFaults({ TRUST_PROXY: value })).toContain('TRUST_PROXY: must be addresses or CIDR ranges');
    },
  );
});

describe('geocoder', () => {
  test('a URL template with its place, or none', () => {
    expect(readEnv({}).geocoderUrl).toBeNull();
    const url = 'https://geo.example/search?q={query}';
    expect(readEnv({ GEOCODER_URL: url }).geocoderUrl).toBe(url);
  });

  test.each(['https://geo.example/search', 'ftp://geo.example/{query}', '{query}'])('%s is told', (url) => {
    expect(listFaults({ GEOCODER_URL: url })).toContain('GEOCODER_URL: must be');
  });
});

describe('FEED_SECRET_KEY', () => {
  const [key, old, older] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
    string,
    string,
    string,
  ];

  test('comes first, those of before behind it', () => {
    const { feedSecretKeys } = readEnv({ FEED_SECRET_KEY: key, FEED_SECRET_KEY_OLD: ` ${old},${older} ` });
    expect(feedSecretKeys).toEqual([key, old, older]);
    expect(readEnv({}).feedSecretKeys).toEqual([]);
  });

  test('of another length, or none beside old ones, is refused', () => {
    const short = Buffer.alloc(16).toString('base64');
    expect(listFaults({ FEED_SECRET_KEY: short })).toContain('base64 of 32 bytes');
    expect(listFaults({ FEED_SECRET_KEY: key, FEED_SECRET_KEY_OLD: `${old},x` })).toContain(
      'base64 of 32 bytes',
    );
    expect(listFaults({ FEED_SECRET_KEY_OLD: old })).toContain('FEED_SECRET_KEY: missing');
  });
});

test('all problems are reported together, with what would be right', () => {
  const [, ...faults] = listFaults({
    FAIR_USE: 'maybe',
    SUPPORT_EMAIL: 'nobody',
    PORT: 'http',
    LOG: 'loud',
    POSTGRES_DRIVER: 'mysql',
    POSTGRES_URL: 'mysql://x',
    UPSTASH_REDIS_REST_URL: 'https://redis.example',
  }).split('\n');
  expect(faults.sort()).toEqual([
    '  - FAIR_USE: must be one of enforce, observe',
    '  - LOG: must be one of stdout, silent',
    '  - PORT: must be a port number, 0 to 65535',
    '  - POSTGRES_DRIVER: must be one of vercel, pg, citus',
    '  - POSTGRES_URL: must start with postgres://',
    '  - SUPPORT_EMAIL: must be an e-mail address',
    '  - UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: set both or neither',
  ]);
});

test('production refuses the embedded defaults; elsewhere nothing is needed', () => {
  const [, ...lines] = listFaults({ VERCEL_ENV: 'production' }).split('\n');
  const named = lines.map((fault) => fault.split(/[ :]+/)[2]);
  expect(named).toEqual([
    'POSTGRES_URL',
    'UPSTASH_REDIS_REST_URL',
    'CRON_SECRET',
    'FEED_SECRET_KEY',
    'SUPPORT_EMAIL',
    'SALES_EMAIL',
  ]);
  expect(listFaults({})).toBe('');
});

test('an empty variable counts as unset', () => {
  expect(listFaults({ FAIR_USE: '', PORT: ' ', POSTGRES_URL: '' })).toBe('');
});

describe('a preview', () => {
  test('shares no key in Redis with production', () => {
    expect(readEnv(PRODUCTION).upstash?.prefix).toBe('ctis');
    expect(readEnv({ ...PRODUCTION, VERCEL_ENV: 'preview' }).upstash?.prefix).toBe('ctis:preview');
  });

  test('links to itself, not to production', () => {
    const hosts = { VERCEL_PROJECT_PRODUCTION_URL: 'trucks.example', VERCEL_URL: 'trucks-git-x.example' };
    const preview = { VERCEL: '1', VERCEL_ENV: 'preview' };
    expect(readEnv({ ...preview, ...hosts }).publicUrl).toBe('https://trucks-git-x.example');
    expect(readEnv({ ...PRODUCTION, ...hosts }).publicUrl).toBe('https://trucks.example');
  });

  test('has its database migrated by the build when MIGRATE_PREVIEW says so', () => {
    const preview = { ...PRODUCTION, VERCEL_ENV: 'preview' };
    expect(readEnv(preview).migratedByBuild).toBe(false);
    expect(readEnv({ ...preview, MIGRATE_PREVIEW: 'yes' }).migratedByBuild).toBe(true);
    expect(readEnv(PRODUCTION).migratedByBuild).toBe(true);
    expect(readEnv({ MIGRATE_PREVIEW: 'yes' }).migratedByBuild).toBe(false);
    expect(listFaults({ VERCEL: '1', VERCEL_ENV: 'preview', MIGRATE_PREVIEW: 'yes' })).toContain(
      '- MIGRATE_PREVIEW: POSTGRES_URL (or DATABASE_URL) names no database to migrate',
    );
    expect(listFaults({ MIGRATE_PREVIEW: 'true' })).toContain('MIGRATE_PREVIEW: must be one of yes, no');
  });
});
