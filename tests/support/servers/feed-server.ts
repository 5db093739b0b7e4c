import { createServer } from 'node:http';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'vitest';
import type { Sql } from '../../../lib/db/sql.ts';
import { FEED_DEFAULTS, type FeedRun } from '../../../lib/feeds/feed.ts';
import { insertFeed } from '../../../lib/feeds/queries/feeds.ts';
import { readRun } from '../../../lib/feeds/queries/runs.ts';
import { queueRun } from '../../../lib/feeds/queries/start-run.ts';
import { feedSource } from '../../../lib/feeds/sources/feed-source.ts';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import type { Ports } from '../../../lib/ports.ts';
import type { Truck } from '../samples/trucks.ts';
import type { Answer, TestAccount, TestService } from '../service/service.ts';
import { listenHttp } from './ports.ts';

/** A dealer's web server on loopback that offers files. */
export interface FeedServer {
  /** For OUTBOUND_ALLOW. */
  host: string;
  /** A file of its own; what it holds may be put in place later, and changed. */
  file(name?: string): ServedFile;
  /** Ports that let the service fetch from it. */
  ports(base: Ports): Partial<Ports>;
  close(): Promise<void>;
}

export interface ServedFile {
  url: string;
  /** How often it was asked for. */
  hits: number;
  /** What to answer from now on. A number is a status. */
  serve(content: string | Uint8Array | number, headers?: Record<string, string>): void;
}

export async function startFeedServer(): Promise<FeedServer> {
  const files = new Map<string, { hits: number; content: string | Uint8Array | number; headers: object }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file) return void response.writeHead(404).end();
    file.hits += 1;
    if (typeof file.content === 'number') return void response.writeHead(file.content).end();
    response.writeHead(200, { ...file.headers }).end(file.content);
  });
  const { host, close } = await listenHttp(server);
  let serial = 0;
  return {
    host,
    file(name = 'trucks.csv') {
      serial += 1;
      const path = `/${process.pid}-${serial}/${name}`;
      const file = { hits: 0, content: 404 as string | Uint8Array | number, headers: {} };
      files.set(path, file);
      return {
        url: `http://${host}${path}`,
        get hits() {
          return file.hits;
        },
        serve(content, headers = {}) {
          Object.assign(file, { content, headers });
        },
      };
    },
    ports({ settings }) {
      const guard = { allow: new Set([host]) };
      return {
        feedSource: feedSource(guardedFetcher(guard), guard),
        settings: { ...settings, outboundAllow: guard.allow },
      };
    },
    close,
  };
}

/** A feed of an account of its own, with the file it pulls. */
export interface FeedLot {
  account: TestAccount;
  file: ServedFile;
  feed: string;
  /** Runs it, waits for the end, and answers the run. */
  run(): Promise<Answer['body']>;
  /** The same with these rows, or this text or status, in the file; `expected` is what the run is to show. */
  pull(
    content: readonly Record<string, unknown>[] | string | number,
    expected?: object,
    headers?: Record<string, string>,
  ): Promise<Answer['body']>;
  /** Status of a truck, or that of the refusal. */
  readStatus(truck: Truck): Promise<string | number>;
}

export async function newLot(
  service: TestService,
  server: FeedServer,
  change: Record<string, unknown> = {},
  account?: TestAccount,
): Promise<FeedLot> {
  const owner = account ?? (await service.newAccount());
  const file = server.file();
  const body = { name: 'Lot', url: file.url, source_provider_id: 'dms', ...change };
  const feed = await owner.call('POST', '/v1/feeds', body);
  expect(feed.status, feed.text).toBe(201);
  const id: string = feed.body.id;
  async function run() {
    const answer = await owner.call('POST', `/v1/feeds/${id}/runs?wait=true`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }
  return {
    account: owner,
    file,
    feed: id,
    run,
    async pull(content, expected = { status: 'succeeded' }, headers = {}) {
      file.serve(typeof content === 'object' ? toCsv(content) : content, headers);
      const ended = await run();
      expect(ended).toMatchObject(expected);
      return ended;
    },
    async readStatus({ vin }) {
      const { status, body } = await owner.call('GET', `/v1/inventory/${vin}`);
      return status === 200 ? body.status : status;
    },
  };
}

/** A feed without a service around it, never due by itself. */
export interface BareLot {
  account: string;
  feed: string;
  url: string;
  serve: ServedFile['serve'];
  /** Queues a run; answers its id. */
  start(): Promise<string>;
  run(id: string): Promise<FeedRun>;
}

let lots = 0;
let runs = 0;
const hex = (count: number) => count.toString(16).padStart(24, '0');

export async function newBareLot(sql: Sql, server: FeedServer, owner?: string): Promise<BareLot> {
  lots += 1;
  const [account, feed] = [owner ?? `acc_${hex(lots)}`, `feed_${hex(lots)}`];
  const insert = `insert into accounts (id, name, tier) values ($1, 'Lot', 'pro') on conflict do nothing`;
  await sql.query({ text: insert }, [account]);
  const file = server.file();
  await insertFeed(
    sql,
    account,
    feed,
    {
      ...FEED_DEFAULTS,
      name: 'Lot',
      protocol: 'https',
      url: file.url,
      source_provider_id: 'dms',
      cadence_minutes: 60,
      enabled: false,
    },
    100,
  );
  return {
    account,
    feed,
    url: file.url,
    serve: file.serve,
    async start() {
      runs += 1;
      const id = await queueRun(sql, account, feed, `run_${hex(runs)}`);
      if (id === null) throw new Error('no feed to run');
      return id;
    },
    async run(id) {
      const run = await readRun(sql, account, feed, id);
      if (run === null) throw new Error('no such run');
      return run;
    },
  };
}

/** CSV with a header of the rows' members. */
export function toCsv(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return stringify([...rows], { header: true, columns, cast: { boolean: String } });
}
