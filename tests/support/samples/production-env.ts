/** What a production deployment has at least. */
export const PRODUCTION = {
  VERCEL: '1',
  VERCEL_ENV: 'production',
  POSTGRES_URL: 'postgres://user@127.0.0.1:1/trucks',
  UPSTASH_REDIS_REST_URL: 'https://redis.example',
  UPSTASH_REDIS_REST_TOKEN: 'token',
  CRON_SECRET: 'cron-secret-of-at-least-32-characters',
  FEED_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  SUPPORT_EMAIL: 'support@trucks.example',
  SALES_EMAIL: 'sales@trucks.example',
} as const;
