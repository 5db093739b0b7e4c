import { createServer } from 'node:http';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'vitest';
import type { Sql } from '../../../lib/db/sql.ts';
import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { insertFeed } from '../../../lib/feeds/queries/feeds.ts';
import { readRun } from '../../../lib/feeds/queries/runs.ts';
import { queueRun } from '../../../lib/feeds/queries/start-run.ts';
import { feedSource } from '../../../lib/feeds/sources/feed-source.ts';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import type { Ports } from '../../../lib/ports.ts';
import type { Truck } from '../samples/trucks.ts';
import type { TestAccount, TestService } from '../service/service.ts';
import { listenHttp } from './ports.ts';

type Content = string | Uint8Array | number;

/** A dealer's web server on loopback that offers files. */
export type FeedServer = Awaited<ReturnType<typeof startFeedServer>>;
export type ServedFile = ReturnType<FeedServer['file']>;

export async function startFeedServer() {
  const files = new Map<string, { hits: number; content: Content; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '') ?? { hits: 0, content: 404, headers: {} };
    file.hits += 1;
    if (typeof file.content === 'number') return void response.writeHead(file.content).end();
    response.writeHead(200, file.headers).end(file.content);
  });
  const { host, close } = await listenHttp(server);
  let serial = 0;
  return {
    /** For OUTBOUND_ALLOW. */
    host,
    /** A file of its own; what it holds may be put in place later, and changed. */
    file(name = 'trucks.csv') {
      serial += 1;
      const path = `/${process.pid}-${serial}/${name}`;
      const file = {
        url: `http://${host}${path}`,
        /** How often it was asked for. */
        hits: 0,
        content: 404 as Content,
        headers: {},
        /** What to answer from now on. A number is a status. */
        serve(content: Content, headers: Record<string, string> = {}) {
          Object.assign(file, { content, headers });
        },
      };
      files.set(path, file);
      return file;
    },
    /** Ports that let the service fetch from it. */
    ports({ settings }: Ports) {
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
export type FeedLot = Awaited<ReturnType<typeof newLot>>;

export async function newLot(
  service: TestService,
  server: FeedServer,
  change: Record<string, unknown> = {},
  account?: TestAccount,
) {
  const owner = account ?? (await service.newAccount());
  const file = server.file();
  const body = { name: 'Lot', url: file.url, source_provider_id: 'dms', ...change };
  const feed = await owner.call('POST', '/v1/feeds', body);
  expect(feed.status, feed.text).toBe(201);
  const id: string = feed.body.id;
  /** Runs it, waits for the end, and answers the run. */
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
    /** The same with these rows, or this text or status, in the file; `expected` is what the run is to show. */
    async pull(
      content: readonly Record<string, unknown>[] | string | number,
      expected: object = { status: 'succeeded' },
      headers = {},
    ) {
      file.serve(typeof content === 'object' ? toCsv(content) : content, headers);
      const ended = await run();
      expect(ended).toMatchObject(expected);
      return ended;
    },
    /** Status of a truck, or that of the refusal. */
    async readStatus({ vin }: Truck): Promise<string | number> {
      const { status, body } = await owner.call('GET', `/v1/inventory/${vin}`);
      return status === 200 ? body.status : status;
    },
  };
}

let serial = 0;
let runs = 0;
const hex = (count: number) => count.toString(16).padStart(24, '0');

/** A feed without a service around it, never due by itself. */
export type BareLot = Awaited<ReturnType<typeof newBareLot>>;

export async function newBareLot(sql: Sql, server: FeedServer, owner?: string) {
  serial += 1;
  const [account, feed] = [owner ?? `acc_${hex(serial)}`, `feed_${hex(serial)}`];
  const insert = `insert into accounts (id, name, tier) values ($1, 'Lot', 'pro') on conflict do nothing`;
  await sql.query({ text: insert }, [account]);
  const { url, serve } = server.file();
  const settings = {
    ...FEED_DEFAULTS,
    name: 'Lot',
    protocol: 'https',
    url,
    source_provider_id: 'dms',
  } as const;
  await insertFeed(sql, account, feed, { ...settings, cadence_minutes: 60, enabled: false }, 100);
  return {
    account,
    feed,
    url,
    serve,
    /** Queues a run; answers its id. */
    async start() {
      runs += 1;
      const id = await queueRun(sql, account, feed, `run_${hex(runs)}`);
      if (id === null) throw new Error('no feed to run');
      return id;
    },
    async run(id: string) {
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
