import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { client } from '../../../scripts/demo/client.ts';

const Answer = z.object({ ok: z.boolean() });
let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(null))));

type Reply = { status: number; body: string; headers?: Record<string, string> };

async function serve(reply: (request: IncomingMessage, attempt: number) => Reply): Promise<string> {
  let attempt = 0;
  server = createServer((request, response) => {
    const { status, body, headers } = reply(request, ++attempt);
    response.writeHead(status, { 'x-request-id': 'req_1', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = { method: 'GET', path: '/v1/dealers', answer: Answer } as const;
const envelope = (code: string) => JSON.stringify({ error: { code, message: 'no' } });

it('waits out a 429 for as long as Retry-After says, then succeeds', async () => {
  const url = await serve((_request, attempt) =>
    attempt === 1
      ? { status: 429, body: envelope('RATE_LIMITED'), headers: { 'retry-after': '1' } }
      : { status: 200, body: '{"ok":true}' },
  );
  const waits: number[] = [];
  await expect(client(url, 'key', (seconds) => waits.push(seconds)).call(get)).resolves.toEqual({ ok: true });
  expect(waits).toEqual([1]);
});

it('tells status, code and request id of a refusal', async () => {
  const url = await serve(() => ({ status: 401, body: envelope('UNAUTHORIZED') }));
  await expect(client(url, 'key').call(get)).rejects.toThrow(
    'GET /v1/dealers answered 401 UNAUTHORIZED: no (x-request-id req_1)',
  );
});

it('refuses an answer that does not match the contract', async () => {
  const url = await serve(() => ({ status: 200, body: '{"ok":"yes"}' }));
  await expect(client(url, 'key').call(get)).rejects.toThrow('not the answer that the contract promises');
});

it('sends the token as a Bearer credential', async () => {
  const url = await serve((request) => ({
    status: 200,
    body: JSON.stringify({ ok: request.headers.authorization === 'Bearer key' }),
  }));
  await expect(client(url, 'key').call(get)).resolves.toEqual({ ok: true });
});
