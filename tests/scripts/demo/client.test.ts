import { createServer, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { client } from '../../../scripts/demo/client.ts';
import { listenHttp } from '../../support/servers/ports.ts';

const Answer = z.object({ ok: z.boolean() });

type Reply = { status: number; body: string; headers?: Record<string, string> };

async function serve(reply: (request: IncomingMessage, attempt: number) => Reply): Promise<string> {
  let attempt = 0;
  const server = createServer((request, response) => {
    const { status, body, headers } = reply(request, ++attempt);
    response.writeHead(status, { 'x-request-id': 'req_1', ...headers }).end(body);
  });
  const { host, close } = await listenHttp(server);
  onTestFinished(close);
  return `http://${host}`;
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
