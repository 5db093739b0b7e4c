import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPg } from '../../../lib/adapters/postgres/connection/pool.ts';
import { postgresStore } from '../../../lib/adapters/postgres/connection/store.ts';
import { migrate } from '../../../lib/adapters/postgres/migrations/migrate.ts';
import type { FeedRun } from '../../../lib/ports/feeds/feeds.ts';
import { FEED_DEFAULTS } from '../../../lib/services/feeds/feed-checks.ts';
import { runScript } from '../../../tests/support/processes/run-script.ts';
import { startHttpsServers } from '../../../tests/support/servers/https-server.ts';
import { Floor, floorRows } from '../floor.ts';
import { startPostgres } from '../postgres.ts';
import { BATCH } from '../trucks.ts';
import { type FileOptions, feedRecords, writeFeedFile } from './feed-file.ts';

/**
 * A dealer's file of a million rows, pulled over HTTPS from a local server into a real PostgreSQL with its default settings:
 * first load against the floor of the same rows, a re-pull in which nothing changed, and one that lacks two in a
 * hundred. Alone: `node scripts/bench/feeds/feeds.ts`, with `--quick` for 10,000 rows.
 */

export interface FeedFigure {
  name: string;
  ms: number;
  run: FeedRun;
  invocations: number;
  cpu: number;
  megabytes: number;
}
export interface FeedFigures {
  rows: number;
  bytes: number;
  floor: number | null;
  figures: FeedFigure[];
}

const ACCOUNT = 'acc_0123456789abcdef01234567';
/** As a small instance has it: with more, V8 lets garbage lie for longer. */
const HEAP = '--max-old-space-size=256';
const FEED = 'feed_0123456789abcdef01234567';

/** Measures in the database behind `url`, which must be empty. */
export async function benchFeeds(
  url: string,
  { rows, floor = true }: { rows: number; floor?: boolean },
): Promise<FeedFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-bench-feeds-'));
  const path = join(folder, 'trucks.csv.gz');
  const servers = await startHttpsServers();
  const { trusted } = servers;
  trusted.answer = (_, response) => void createReadStream(path).pipe(response.writeHead(200));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, servers.ca);
  const sql = openPg({ url });
  const options: FileOptions = { rows, currentYear: new Date().getUTCFullYear() };
  try {
    await migrate(sql);
    const { feeds } = postgresStore(sql, Date);
    await sql.query({ text: `insert into accounts (id, name, tier) values ($1, 'Bench', 'pro')` }, [ACCOUNT]);
    await sql.query({ text: `insert into dealers (account_id, slug, name) values ($1, 'bench', 'B')` }, [
      ACCOUNT,
    ]);
    await feeds
      .of(ACCOUNT)
      .create(
        FEED,
        {
          ...FEED_DEFAULTS,
          name: 'Bench',
          protocol: 'https',
          url: `${trusted.origin}/trucks.csv.gz`,
          source_provider_id: 'bench',
          cadence_minutes: 60,
        },
        1,
      );
    const figures: FeedFigure[] = [];
    const pull = async (name: string, change: Partial<FileOptions>) => {
      await writeFeedFile(path, { ...options, ...change });
      await sql.query({ text: `update feeds set next_run_at = now() where account_id = $1` }, [ACCOUNT]);
      await sql.query({ text: `update jobs set due_at = now() where account_id = $1` }, [ACCOUNT]);
      const measured = await work({
        POSTGRES_URL: url,
        OUTBOUND_ALLOW: `127.0.0.1:${trusted.port}`,
        NODE_EXTRA_CA_CERTS: authority,
        DATA_DIR: join(folder, 'data'),
      });
      const [run] = (await feeds.of(ACCOUNT).runs(FEED, { limit: 1, after: null }, 5)) ?? [];
      if (run?.status !== 'succeeded') throw new Error(`the run ended otherwise: ${JSON.stringify(run)}`);
      figures.push({ name, run, ...measured });
      tellFigure(figures.at(-1));
    };
    // Half before and half after, so that what else the machine does weighs on both.
    const upserts = floor ? measureFloor(url, options) : null;
    await upserts?.next();
    await pull('first load', {});
    await upserts?.next();
    const { size: bytes } = await stat(path);
    await pull('nothing changed', { touched: true });
    await pull('2 in 100 gone', { touched: true, without: 50 });
    const { value } = (await upserts?.next()) ?? {};
    return { rows, bytes, floor: typeof value === 'number' ? value : null, figures };
  } finally {
    await sql.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Measured = Pick<FeedFigure, 'ms' | 'invocations' | 'cpu' | 'megabytes'>;

async function work(env: Record<string, string>): Promise<Measured> {
  const script = join(import.meta.dirname, 'feed-worker.ts');
  const own = { LOG: 'silent', POSTGRES_DRIVER: 'pg', VERCEL: '1' };
  return JSON.parse(await runScript(process.execPath, [HEAP, script], { ...own, ...env }));
}

/**
 * One statement per 500 of the same rows, into an empty wide table; what prepares them is not counted. Stops
 * half-way; answers milliseconds in the end.
 */
async function* measureFloor(url: string, options: FileOptions): AsyncGenerator<void, number> {
  const floor = await Floor.empty(url, ACCOUNT);
  let ms = 0;
  let written = 0;
  for (const batch of toBatches(options)) {
    const rows = await floorRows(batch, { dealer: 'bench', provider: 'bench' });
    const started = performance.now();
    await floor.upsertWide(rows);
    ms += performance.now() - started;
    written += batch.length;
    if (written >= options.rows / 2 && written - batch.length < options.rows / 2) yield;
  }
  yield;
  await floor.close();
  return ms;
}

function* toBatches(options: FileOptions): Generator<Record<string, string>[]> {
  let batch: Record<string, string>[] = [];
  for (const record of feedRecords(options)) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function tellFigure(figure: FeedFigure | undefined): void {
  if (!figure) return;
  const { name, ms, run, invocations, cpu, megabytes } = figure;
  const { created, merged, unchanged, delisted, rejected, phases } = run;
  const counts = JSON.stringify({ created, merged, unchanged, delisted, rejected });
  console.log(
    `  ${name.padEnd(18)} ${(ms / 1000).toFixed(1).padStart(7)} s, ${invocations} invocation(s), cpu ${(cpu / 1000).toFixed(1)} s, ${megabytes.toFixed(0)} MB, ${counts} ${JSON.stringify(phases)}`,
  );
}

export function tellFeeds({ rows, bytes, floor, figures }: FeedFigures): void {
  const [first, again, gone] = figures;
  const s = (ms: number | undefined) => ((ms ?? Number.NaN) / 1000).toFixed(1);
  const ratio = (ms: number | undefined, of: number | undefined | null) =>
    ((ms ?? Number.NaN) / (of ?? Number.NaN)).toFixed(2);
  console.log(`Feed of ${rows} rows, ${(bytes / 2 ** 20).toFixed(0)} MB gzip`);
  console.log(`  wide table, same rows     ${s(floor ?? undefined)} s`);
  console.log(
    `  first load                ${s(first?.ms)} s, ${ratio(first?.ms, floor)} of the wide table (goal 2.00)`,
  );
  console.log(
    `  re-pull, nothing changed  ${s(again?.ms)} s, ${ratio(again?.ms, first?.ms)} of the first load (goal 0.40)`,
  );
  console.log(`  delisting 2 in 100        ${s(gone?.run.phases.reconcile)} s (goal 5)`);
  console.log(
    `  peak memory, 256 MB heap  ${Math.max(...figures.map(({ megabytes }) => megabytes)).toFixed(0)} MB (goal 350)`,
  );
}

if (import.meta.main) {
  const rowsAt = process.argv.indexOf('--rows');
  const rows =
    rowsAt > 0 ? Number(process.argv[rowsAt + 1]) : process.argv.includes('--quick') ? 10_000 : 1_000_000;
  const postgres = await startPostgres();
  try {
    tellFeeds(await benchFeeds(postgres.url, { rows }));
  } finally {
    await postgres.stop();
  }
}
