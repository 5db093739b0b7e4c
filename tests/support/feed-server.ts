import { createServer, type Server } from 'node:http';
import { expect } from 'vitest';
import { feedSource } from '../../lib/adapters/feed-source/feed-source.ts';
import { guardedFetcher } from '../../lib/adapters/fetcher/guarded.ts';
import type { Ports } from '../../lib/ports.ts';
import { listen } from './ports.ts';
import type { Answer, TestAccount, TestService } from './service.ts';
import type { Truck } from './trucks.ts';

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
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file) return void response.writeHead(404).end();
    file.hits += 1;
    if (typeof file.content === 'number') return void response.writeHead(file.content).end();
    response.writeHead(200, { ...file.headers }).end(file.content);
  });
  const port = await listen(server);
  let serial = 0;
  return {
    host: `127.0.0.1:${port}`,
    file(name = 'trucks.csv') {
      serial += 1;
      const path = `/${process.pid}-${serial}/${name}`;
      const file = { hits: 0, content: 404 as string | Uint8Array | number, headers: {} };
      files.set(path, file);
      return {
        url: `http://127.0.0.1:${port}${path}`,
        get hits() {
          return file.hits;
        },
        serve(content, headers = {}) {
          Object.assign(file, { content, headers });
        },
      };
    },
    ports({ settings, clock }) {
      const guard = { allow: new Set([`127.0.0.1:${port}`]) };
      return {
        feedSource: feedSource(guardedFetcher(guard), guard, clock),
        settings: { ...settings, outboundAllow: guard.allow },
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A feed of an account of its own, with the file it pulls. */
export interface FeedLot {
  account: TestAccount;
  file: ServedFile;
  feed: string;
  /** Runs it, waits for the end, and answers the run. */
  run(): Promise<Answer['body']>;
  /** Status of a truck, or that of the refusal. */
  statusOf(truck: Truck): Promise<string | number>;
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
  return {
    ...{ account: owner, file, feed: id },
    async run() {
      const answer = await owner.call('POST', `/v1/feeds/${id}/runs?wait=true`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    async statusOf({ vin }) {
      const { status, body } = await owner.call('GET', `/v1/inventory/${vin}`);
      return status === 200 ? body.status : status;
    },
  };
}

/** CSV with a header of the first row's members. */
export function csvOf(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`;
}
