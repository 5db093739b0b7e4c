import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed } from 'vitest';
import type { Tier } from '../../../lib/accounts/access.ts';
import { connectTo, createPorts } from '../../../lib/connect.ts';
import { readEnv } from '../../../lib/env.ts';
import { FeedFault } from '../../../lib/feeds/feed-faults.ts';
import { createApp } from '../../../lib/local/app.ts';
import { OutboundFailure } from '../../../lib/outside/outbound.ts';
import type { Ports } from '../../../lib/ports.ts';
import { expectConforming } from '../oracles/conforms.ts';
import { readSent } from '../postgres/sent-sql.ts';
import { afterDeath } from '../processes/watchdog.ts';
import { useStore } from './store.ts';

export const ADMIN_TOKEN = 'test-admin-token-0123456789';
export const FEED_SECRET_KEY = Buffer.from('test-feed-secret-key-of-32-bytes').toString('base64');
export const CRON_SECRET = 'test-cron-secret-0123456789';
const dataDir = mkdtempSync(join(tmpdir(), 'ctis-service-'));
afterDeath('rm -rf "$1"', dataDir);

/** An answer with its body already read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface Call {
  token?: string | null;
  json?: unknown;
  /** Raw body text, instead of `json`. */
  raw?: BodyInit | undefined;
  headers?: Record<string, string> | undefined;
  ip?: string | undefined;
  /** Scheme and host of the request; default `http://trucks.test`. */
  origin?: string;
}

export type TestService = Awaited<ReturnType<typeof startService>>;
export type TestAccount = Awaited<ReturnType<TestService['newAccount']>>;

/**
 * The whole service in this process, on the worker's store. `change` replaces ports, for faults and fixed clocks. Every answer is held against its
 * declared schema.
 */
export async function startService(change: (ports: Ports) => Partial<Ports> = () => ({})) {
  const { sql } = await useStore();
  const log: Record<string, unknown>[] = [];
  const env = readEnv({
    ADMIN_TOKEN,
    CRON_SECRET,
    DATA_DIR: dataDir,
    FEED_SECRET_KEY,
    SUPPORT_EMAIL: 'support@trucks.test',
    VERCEL: '1',
    PREVIEW_OUTBOUND: 'yes',
  });
  const pending = new Set<Promise<void>>();
  const instance = createPorts(env, readSent(sql));
  const base: Ports = {
    ...instance,
    // A suite about mails brings a mailer of its own.
    mailer: { send: async () => undefined },
    settings: { ...instance.settings, mail: 'none', restingJobs: new Set(['photos']) },
    background: {
      run(work) {
        const fail = (error: unknown) =>
          void log.push({ level: 'error', event: 'background_work_failed', error: String(error) });
        const settled = work.then(() => undefined, fail).finally(() => pending.delete(settled));
        pending.add(settled);
      },
    },
    // A suite about chat brings a provider of its own.
    assistant: { choose: async () => ({ segments: [{ say: 'greet' }] }) },
    log: { write: (entry) => void log.push(entry) },
  };
  const ports: Ports = { ...base, ...offline(), ...change(base) };
  const app = createApp();

  const call = async (method: string, path: string, options: Call = {}): Promise<Answer> => {
    connectTo(ports);
    const headers = new Headers({ 'x-real-ip': options.ip ?? '203.0.113.7', ...options.headers });
    if (options.token) headers.set('authorization', `Bearer ${options.token}`);
    const body = options.raw ?? (options.json === undefined ? null : JSON.stringify(options.json));
    const request = new Request(`${options.origin ?? 'http://trucks.test'}${path}`, {
      method,
      headers,
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const response = await app.fetch(request);
    const { status, headers: answerHeaders } = response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const isJson = answerHeaders.get('content-type')?.startsWith('application/json') && text !== '';
    const answer: Answer = {
      status,
      headers: answerHeaders,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : null,
    };
    if (status >= 500) printCauseOnFailure(log);
    expectConforming(method, path, answer);
    return answer;
  };
  const admin = (method: string, path: string, json?: unknown) =>
    call(method, path, { token: ADMIN_TOKEN, json });

  return {
    ports,
    log,
    call,
    admin,
    /** When what goes on after answers has ended. */
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    /** A new account with a secret key; limits high unless said otherwise. */
    async newAccount({ tier = 'pro' as Tier, limit_multiplier = 100, name = 'Test Trucks' } = {}) {
      const account = await admin('POST', '/api/admin/accounts', { name, tier, limit_multiplier });
      expect(account.status, account.text).toBe(201);
      const id: string = account.body.id;
      const answer = await admin('POST', '/api/admin/keys', { account_id: id, kind: 'secret' });
      expect(answer.status, answer.text).toBe(201);
      const { key: token, id: keyId }: { key: string; id: string } = answer.body;
      const callAs = (method: string, path: string, json?: unknown, headers?: Record<string, string>) =>
        call(method, path, { token, json, headers });
      return {
        id,
        key: token,
        keyId,
        call: callAs,
        /** POST and PATCH /v1/inventory. */
        post: (body: unknown, query = '') => callAs('POST', `/v1/inventory${query}`, body),
        patch: (body: unknown, query = '') => callAs('PATCH', `/v1/inventory${query}`, body),
        /** The listing of a VIN, as GET answers it. */
        read: async (vin: unknown) => (await callAs('GET', `/v1/inventory/${vin}`)).body,
      };
    },
  };
}

/**
 * A suite names the servers it talks to, and fetches images only if it is about them: otherwise an image might or might
 * not have been tried by the time a listing is read.
 */
function offline(): Partial<Ports> {
  const fail = (Fault: typeof FeedFault | typeof OutboundFailure) => async () => {
    throw new Fault('dns_failed', 'tests are offline');
  };
  return {
    fetcher: { fetch: fail(OutboundFailure), findRefusal: async () => null, close: () => undefined },
    feedSource: { fetch: fail(FeedFault) },
  };
}

let serial = 0;

/** A good truck with a VIN of its own. */
export function goodTruck(change: Record<string, unknown> = {}): Record<string, unknown> {
  serial += 1;
  const vin = `1FUJGLDR3H${String(process.pid % 100).padStart(2, '0')}${String(serial).padStart(5, '0')}`;
  return {
    vin,
    year: 2019,
    make: 'Freightliner',
    model: 'Cascadia',
    class: 'class_8',
    gvwr: 52_000,
    body_type: 'sleeper_tractor',
    price: 68_900,
    mileage: 412_350,
    ...change,
  };
}

let lastExplained: string | undefined;

/** An answer of 500 tells clients nothing of its cause: a test that fails on one says once what was logged. */
function printCauseOnFailure(log: readonly Record<string, unknown>[]): void {
  const { currentTestName } = expect.getState();
  if (!currentTestName || currentTestName === lastExplained) return;
  lastExplained = currentTestName;
  onTestFailed(() => console.error(...log.filter(({ level }) => level === 'error').slice(-3)));
}
