import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Tier } from '../../lib/accounts/access.ts';
import { connectTo, createPorts } from '../../lib/connect.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../lib/db/sql.ts';
import { type Env, readEnv } from '../../lib/env.ts';
import type { FeedSource } from '../../lib/feeds/feed-file.ts';
import { memoryLimiter } from '../../lib/limiter/memory.ts';
import { createApp } from '../../lib/local/app.ts';
import type { Fetcher } from '../../lib/outside/outbound.ts';
import type { Random } from '../../lib/outside/system.ts';
import type { Ports } from '../../lib/ports.ts';
import { startCluster } from '../bench/postgres.ts';
import { type Call, type Caller, type Exchange, prettyJson } from './call.ts';
import { EXAMPLE_ADDRESS, ROOT } from './deployment.ts';
import { mask, maskHeader } from './mask.ts';

/** The service in this process, on an empty database, for calls whose answers are shown. */
export interface Rehearsal {
  readonly env: Env;
  readonly sql: Sql;
  /** The ports in use; a fault puts others in place. */
  ports: Ports;
  /** A new account with a secret and a publishable key: limits and listings of its own. Default tier: starter. */
  newSeller(tier?: Tier): Promise<Seller>;
  perform(call: Call, seller: Seller): Promise<Exchange>;
  /** Answers a request as the service does; for programs that call it over a port. */
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface Seller {
  readonly tokens: Readonly<Partial<Record<Caller, string>>>;
  /** What answers gave, for `{{name}}` in later calls. */
  readonly values: Map<string, string>;
  /** When each call began, ms since the epoch. */
  readonly began: number[];
}

const SECRETS = { operator: 'rehearsal-operator-token', cron: 'rehearsal-cron-secret' } as const;
/** The rules depend on the current year; shown answers must not. */
const NOW = Date.UTC(2026, 0, 15, 9, 30);

const SHOWN_HEADERS = [
  'x-request-id',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Allow',
  'WWW-Authenticate',
  'Idempotent-Replayed',
];

/** `url`: of an empty database; default: one of its own. */
export async function openRehearsal(url?: string, app = createApp()): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-rehearsal-'));
  const cluster = url === undefined ? await startCluster('ctis-rehearsal-') : null;
  const sql = openPg({ url: url ?? cluster?.url ?? '' });
  const env = readEnv({
    ADMIN_TOKEN: SECRETS.operator,
    CRON_SECRET: SECRETS.cron,
    DATA_DIR: folder,
    FEED_SECRET_KEY: Buffer.alloc(32, 'rehearsal').toString('base64'),
    LOG: 'silent',
    PUBLIC_URL: EXAMPLE_ADDRESS,
    VERCEL: '1',
    PREVIEW_OUTBOUND: 'yes',
  });
  await migrate(sql);
  const clock = { now: () => NOW };
  const background = new Set<Promise<unknown>>();
  const ports = createPorts(env, sql);
  const rehearsal: Rehearsal = {
    env,
    sql,
    ports: {
      ...ports,
      settings: { ...ports.settings, mail: 'none' },
      clock,
      random: countedRandom(),
      limiter: memoryLimiter(clock),
      fetcher: await dealerServer(),
      feedSource: { fetch: fetchSample },
      background: { run: (work) => void background.add(work) },
    },

    async newSeller(tier = 'starter') {
      const seller: Seller = { tokens: {}, values: new Map(), began: [] };
      const account = await send(
        { method: 'POST', path: '/api/admin/accounts', as: 'operator', json: { name: 'Example', tier } },
        seller,
      );
      const createKey = async (kind: 'secret' | 'publishable') => {
        const json = { account_id: readText(account.text, 'id'), kind };
        const newKey = await send({ method: 'POST', path: '/api/admin/keys', as: 'operator', json }, seller);
        return readText(newKey.text, 'key');
      };
      const tokens = { key: await createKey('secret'), 'widget-key': await createKey('publishable') };
      return { tokens, values: new Map([['account_id', readText(account.text, 'id')]]), began: [] };
    },

    async perform(call, seller) {
      // No two calls begin in one millisecond: their times tell them apart.
      await setTimeout(2);
      seller.began.push(Date.now());
      const { response, text, filledCall } = await send(call, seller);
      remember(seller, text, response.headers.get('etag'));
      return toExchange({ call, filledCall }, response, text, (time) => toShownTime(time, seller));
    },

    async answer(request) {
      connectTo(rehearsal.ports);
      request.headers.set('x-real-ip', '203.0.113.7');
      const answer = await app.fetch(request);
      // What goes on after an answer is over before the next call, whatever the machine.
      await Promise.allSettled(background);
      background.clear();
      return answer;
    },

    async close() {
      await sql.close();
      await cluster?.stop();
      await rm(folder, { recursive: true });
    },
  };

  async function send(call: Call, seller: Seller) {
    const filledCall = fillIn(call, seller.values);
    const caller = filledCall.as ?? 'key';
    const token = { ...SECRETS, ...seller.tokens }[caller];
    const headers = {
      'user-agent': 'curl/8.5.0',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...filledCall.headers,
    };
    const { path, method, json, raw } = filledCall;
    const body = raw ?? (json === undefined ? null : JSON.stringify(json));
    const request = new Request(EXAMPLE_ADDRESS + path, { method, headers, body });
    const response = await rehearsal.answer(request);
    return { response, text: await response.text(), filledCall };
  }

  return rehearsal;
}

/** The dealer's servers as the examples know them: every first photo is there and no other, and webhooks are taken. */
async function dealerServer(): Promise<Fetcher> {
  const { default: sharp } = await import('sharp');
  const create = { width: 1600, height: 1200, channels: 3, background: '#7c9' } as const;
  const bytes = new Uint8Array(await sharp({ create }).jpeg().toBuffer());
  return {
    async fetch({ url, method }) {
      if (method === 'POST') return { status: 204, headers: {}, url, bytes: new Uint8Array() };
      const isAvailable = url.endsWith('-1.jpg');
      return {
        status: isAvailable ? 200 : 404,
        headers: {},
        url,
        bytes: isAvailable ? bytes : new Uint8Array(),
      };
    },
    findRefusal: async () => null,
    close: () => undefined,
  };
}

/** The sample files, which the service itself has. */
const fetchSample: FeedSource['fetch'] = async ({ url }, _, path) => {
  const bytes = await readFile(join(ROOT, 'public', new URL(url).pathname));
  await writeFile(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes: bytes.length, sha256, fileTime: null, etag: null, lastModified: null };
};

/** The same bytes in every rehearsal: lists come in the order of ids. */
function countedRandom(): Random {
  let count = 0;
  return {
    bytes(size) {
      const block = () => createHash('sha512').update(`rehearsal ${count++}`).digest();
      const blocks = Array.from({ length: Math.ceil(size / 64) }, block);
      return new Uint8Array(Buffer.concat(blocks).subarray(0, size));
    },
  };
}

function fillIn(call: Call, values: ReadonlyMap<string, string>): Call {
  const fill = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`no answer so far gave ${name}`);
      return value;
    });
  const fillAll = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, v) => (typeof v === 'string' ? fill(v) : v));
  return {
    ...call,
    path: fill(call.path),
    ...(call.headers ? { headers: fillAll(call.headers) } : {}),
    ...(call.json === undefined ? {} : { json: fillAll(call.json) }),
  };
}

/** Ids by their kind, and the ETag, for later calls. */
export function remember({ values }: Seller, text: string, etag: string | null): void {
  for (const [name, pattern] of Object.entries(VALUE_PATTERNS)) {
    const value = pattern.exec(text)?.[1];
    if (value) values.set(name, value);
  }
  if (etag) values.set('etag', etag);
}

const VALUE_PATTERNS = {
  // A list may begin with another account.
  account_id: /(?<!\[)\{"id": ?"(acc_[0-9a-f]{24})"/,
  key_id: /"(key_[0-9a-f]{24})"/,
  cursor: /"next_cursor": ?"([\w-]+)"/,
  lead_id: /"(lead_[0-9a-f]{28})"/,
  feed_id: /"(feed_[\w]{10,40})"/,
  run_id: /"(run_[0-9a-f]{24})"/,
  synced_until: /"synced_until": ?"([\w:.-]+)"/,
};

function readText(text: string, name: string): string {
  const value: unknown = JSON.parse(text)[name];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${text}`);
  return value;
}

/** One call a minute, whenever the rehearsal takes place. */
function toShownTime(time: number, { began }: Seller): number {
  return NOW + 60_000 * (began.findLastIndex((start) => start <= time) + 1);
}

function toExchange(
  { call, filledCall }: { call: Call; filledCall: Call },
  response: Response,
  text: string,
  toTime: (time: number) => number,
): Exchange {
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').startsWith('application/json');
  const answerJson: unknown = isJson ? JSON.parse(mask(text, toTime)) : undefined;
  const sentJson: unknown =
    filledCall.json === undefined ? undefined : JSON.parse(mask(JSON.stringify(filledCall.json), toTime));
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${maskHeader(name.toLowerCase(), value)}`];
  });
  const line = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim();
  const body = answerJson === undefined ? [] : ['', prettyJson(answerJson)];
  return {
    call,
    status: response.status,
    answer: [line, ...headers, ...body].join('\n'),
    sentJson,
    answerJson,
  };
}
