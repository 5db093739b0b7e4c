import { expect, test } from 'vitest';
import { EnvError, readEnv } from '../lib/env.ts';

function listFaults(source: Record<string, string>): string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

test('every fault is told at once, with what would be right', () => {
  const faults = listFaults({
    FAIR_USE: 'maybe',
    SUPPORT_EMAIL: 'nobody',
    PORT: 'http',
    LOG: 'loud',
    POSTGRES_DRIVER: 'mysql',
    POSTGRES_URL: 'mysql://x',
    UPSTASH_REDIS_REST_URL: 'https://redis.example',
  });
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
  const named = listFaults({ VERCEL_ENV: 'production' }).map((fault) => fault.split(/[ :]+/)[2]);
  expect(named).toEqual([
    'POSTGRES_URL',
    'UPSTASH_REDIS_REST_URL',
    'CRON_SECRET',
    'FEED_SECRET_KEY',
    'SUPPORT_EMAIL',
    'SALES_EMAIL',
  ]);
  expect(listFaults({})).toEqual([]);
});

test('an empty variable counts as unset', () => {
  expect(listFaults({ FAIR_USE: '', PORT: ' ', POSTGRES_URL: '' })).toEqual([]);
});
