import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { stringify } from 'csv-stringify';
import { openPg } from '../../../lib/db/connection/pool.ts';
import { migrate } from '../../../lib/db/migrations/migrate.ts';
import { FEED_DEFAULTS, type FeedRun } from '../../../lib/feeds/feed.ts';
import { insertFeed } from '../../../lib/feeds/queries/feeds.ts';
import { listRuns } from '../../../lib/feeds/queries/runs.ts';
import { LOCALHOST_TLS } from '../../../tests/fixtures/localhost-tls.ts';
import { runScript } from '../../../tests/support/processes/run-script.ts';
import { startHttpsServer } from '../../../tests/support/servers/https-server.ts';
import { asSystem, truckAt } from '../../trucks/trucks.ts';
import { Floor, floorRows } from '../floor.ts';
import { timed } from '../numbers.ts';
import { startPostgres } from '../postgres.ts';
import { BATCH } from '../stage.ts';

interface FileOptions {
  /** Another description in one row: a file with other bytes in which nothing matters. */
  isTouched?: boolean;
  /** Leaves out one row in fifty. */
  isShort?: boolean;
}

interface Pull {
  /** Of all invocations of the worker, in ms. */
  ms: number;
  invocations: number;
  /** Peak of its resident memory. */
  megabytes: number;
  run: FeedRun;
}

const ACCOUNT = 'acc_0123456789abcdef01234567';
const FEED = 'feed_0123456789abcdef01234567';
/** As a small instance has it: with more, V8 lets garbage lie for longer. */
const HEAP = '--max-old-space-size=256';

/**
 * A dealer's file of so many rows, pulled over HTTPS from a local server: first load against the floor of the same rows,
 * a re-pull in which nothing changed, and one that lacks two in a hundred.
 */
export async function benchFeeds(rows: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-bench-feeds-'));
  const postgres = await startPostgres();
  const server = await startHttpsServer();
  try {
    const path = join(folder, 'trucks.csv.gz');
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, LOCALHOST_TLS.cert);
    server.answer = (_, response) => void createReadStream(path).pipe(response.writeHead(200));
    const feed = await createFeed(postgres.url, `${server.origin}/trucks.csv.gz`);
    const env = {
      LOG: 'silent',
      POSTGRES_DRIVER: 'pg',
      VERCEL: '1',
      POSTGRES_URL: postgres.url,
      OUTBOUND_ALLOW: `127.0.0.1:${server.port}`,
      NODE_EXTRA_CA_CERTS: authority,
      DATA_DIR: join(folder, 'data'),
    };
    const pull = async (options: FileOptions): Promise<Pull> => {
      const csv = stringify({ header: true, record_delimiter: 'windows' });
      await pipeline(
        Readable.from(listRecords(rows, options)),
        csv,
        createGzip({ level: 1 }),
        createWriteStream(path),
      );
      await feed.makeDue();
      const script = join(import.meta.dirname, 'feed-worker.ts');
      const worked = JSON.parse(await runScript(process.execPath, [HEAP, script], env));
      return { ...worked, run: await feed.lastRun() };
    };
    const floorMs = await measureFloor(postgres.url, rows);
    const first = await pull({});
    const repeat = await pull({ isTouched: true });
    const short = await pull({ isTouched: true, isShort: true });
    await feed.close();
    report(rows, floorMs, [first, repeat, short]);
  } finally {
    await server.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function* listRecords(rows: number, { isTouched, isShort }: FileOptions): Generator<Record<string, unknown>> {
  const currentYear = new Date().getUTCFullYear();
  for (let number = 0; number < rows; number += 1) {
    if (isShort && number % 50 === 0) continue;
    const { images, url, features, ...record } = asSystem(truckAt(number, currentYear));
    const description = isTouched && number === 0 ? 'Sold as is.' : record.description;
    yield { ...record, description, features: String(features) };
  }
}

async function createFeed(postgresUrl: string, url: string) {
  const sql = openPg({ url: postgresUrl });
  await migrate(sql);
  const query = (text: string) => sql.query({ text }, [ACCOUNT]);
  await query(
    `insert into accounts (id, name, tier, limit_multiplier) values ($1, 'Bench', 'enterprise', 100)`,
  );
  await query(`insert into dealers (account_id, slug, name) values ($1, 'bench', 'B')`);
  const source = { protocol: 'https' as const, url, source_provider_id: 'bench', cadence_minutes: 60 };
  await insertFeed(sql, ACCOUNT, FEED, { ...FEED_DEFAULTS, name: 'Bench', ...source }, 1);
  return {
    async makeDue() {
      await query('update feeds set next_run_at = now() where account_id = $1');
      await query('update jobs set due_at = now() where account_id = $1');
    },
    async lastRun(): Promise<FeedRun> {
      const [run] = await listRuns(sql, ACCOUNT, FEED, { limit: 1, after: null });
      if (run?.status !== 'succeeded' || run.rejected > 0)
        throw new Error(`the run ended otherwise: ${JSON.stringify(run)}`);
      return run;
    },
    close: () => sql.close(),
  };
}

/** One statement per 500 of the same rows, into an empty wide table; what prepares them is not counted. */
async function measureFloor(url: string, rows: number): Promise<number> {
  const floor = await Floor.empty(url, ACCOUNT);
  let ms = 0;
  let records: Record<string, unknown>[] = [];
  for (const record of listRecords(rows, {})) {
    records.push(record);
    if (records.length < BATCH) continue;
    const batch = await floorRows(records, { dealer: 'bench', provider: 'bench' });
    ms += await timed(() => floor.upsert(batch));
    records = [];
  }
  await floor.close();
  return ms;
}

function report(rows: number, floorMs: number, [first, repeat, short]: readonly [Pull, Pull, Pull]): void {
  const s = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const peak = Math.max(first.megabytes, repeat.megabytes, short.megabytes);
  console.log(`Feed of ${rows} rows; the wide table takes ${s(floorMs)}
  first load                ${s(first.ms)}, ${first.invocations} invocations, ${(first.ms / floorMs).toFixed(2)} of the wide table (goal 3)
  re-pull, nothing changed  ${s(repeat.ms)}, ${(repeat.ms / first.ms).toFixed(2)} of the first load (goal 0.1)
  delisting 2 in 100        ${s((short.run.phases.reconcile ?? 0) + (short.run.phases.delist ?? 0))} (goal 5)
  peak memory, 256 MB heap  ${peak.toFixed(0)} MB (goal 400)
`);
}
