import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPorts } from '../../lib/connect.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import { readEnv } from '../../lib/env.ts';
import { startPostgres } from '../support/postgres/postgres.ts';
import { startRedis } from '../support/redis/redis.ts';
import { startBlackhole } from '../support/servers/blackhole.ts';
import { startFeedServer } from '../support/servers/feed-server.ts';
import { startImageServer } from '../support/servers/image-server.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { startOpenAi } from '../support/servers/openai-server.ts';
import { throughPort } from '../support/servers/ports.ts';
import { startS3 } from '../support/servers/s3.ts';
import { ADMIN_TOKEN, CRON_SECRET, FEED_SECRET_KEY, startService } from '../support/service/service.ts';
import { provideStore } from '../support/service/store.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** The whole service on real parts, each behind a line that can go dark. */
export async function startWorld() {
  // A crash must not lose what was committed, as it would under the tests' usual settings.
  const postgres = await startPostgres(['synchronous_commit=on']);
  const url = await postgres.createDatabase();
  const sql = openPg({ url });
  await migrate(sql);
  provideStore({ sql, url });
  const [redis, smtp, s3, ai, feeds, pictures] = await Promise.all([
    startRedis(),
    startMailServer(),
    startS3(),
    startOpenAi(),
    startFeedServer(),
    startImageServer(),
  ] as const);
  const lines = {
    database: await startBlackhole(postgres.port),
    smtp: await startBlackhole(smtp.port),
    s3: await startBlackhole(Number(new URL(s3.settings.endpoint ?? '').port)),
    ai: await startBlackhole(Number(new URL(ai.url).port)),
  };
  const folder = await mkdtemp(join(tmpdir(), 'ctis-chaos-'));
  const env = readEnv({
    ADMIN_TOKEN,
    CRON_SECRET,
    FEED_SECRET_KEY,
    DATA_DIR: folder,
    VERCEL: '1',
    PREVIEW_OUTBOUND: 'yes',
    LOG: 'silent',
    POSTGRES_URL: throughPort(url, lines.database.port),
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    SMTP_URL: `smtp://127.0.0.1:${lines.smtp.port}`,
    MAIL_FROM: 'leads@trucks.example',
    AI_BASE_URL: `http://127.0.0.1:${lines.ai.port}/v1`,
    AI_API_KEY: 'key',
    AI_MODEL: 'scripted',
    S3_BUCKET: s3.settings.bucket,
    S3_REGION: s3.settings.region,
    S3_ENDPOINT: `http://127.0.0.1:${lines.s3.port}`,
    S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    OUTBOUND_ALLOW: `${feeds.host},${new URL(pictures.add(404)).host}`,
  });
  const pending = new Set<Promise<unknown>>();
  const service = await startService(() => ({
    ...createPorts(env),
    background: {
      run(work) {
        const settled: Promise<unknown> = work.catch(() => undefined).finally(() => pending.delete(settled));
        pending.add(settled);
      },
    },
  }));
  return {
    service,
    /** Around the line: for the checks. */
    sql,
    postgres,
    redis,
    smtp,
    feeds,
    pictures,
    lines,
    /** Waits until no work goes on after an answer. */
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      service.ports.fetcher.close();
      await Promise.all([service.ports.db.close(), sql.close()]);
      await Promise.all(Object.values(lines).map((line) => line.close()));
      await Promise.all([redis.stop(), smtp.close(), s3.stop(), ai.close(), feeds.close(), pictures.close()]);
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
