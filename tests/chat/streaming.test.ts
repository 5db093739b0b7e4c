import { request } from 'node:http';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openAiCompatible } from '../../lib/adapters/assistant/openai-compatible.ts';
import { connectTo } from '../../lib/connect.ts';
import { createApp } from '../../lib/local/app.ts';
import { startServer } from '../../lib/local/server.ts';
import { parseEvents } from '../support/oracles/conforms.ts';
import { choose, startOpenAi } from '../support/servers/openai-server.ts';
import { startService } from '../support/service/service.ts';

/** A streamed answer over a real connection: what is read as it comes, and what happens when the reader leaves. */

const provider = await startOpenAi();
const assistant = openAiCompatible({ baseUrl: provider.url, apiKey: 'sk-test', model: 'scripted' });
const service = await startService(() => ({ assistant }));
const account = await service.newAccount();
await account.call('POST', '/v1/dealers', { slug: 'streaming-trucks', name: 'Streaming Trucks' });
connectTo(service.ports);
const server = await startServer({ fetch: createApp().fetch, host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await server.close();
  await provider.close();
});
beforeEach(() => {
  provider.calls = [];
  provider.aborted = 0;
});

let visitors = 0;
const newVisitor = () => `streamer-${++visitors}`;

/** Posts a message; `leaveAfter` ends the connection as soon as that was read, '' when the provider was asked. */
function ask(
  visitorId: string,
  leaveAfter?: string,
  accept = 'text/event-stream',
  more: Record<string, string> = {},
) {
  const asked = provider.calls.length;
  return new Promise<{ text: string; pieces: number; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const call = request(
        {
          port: server.port,
          path: '/v1/widget/chat',
          method: 'POST',
          headers: { authorization: `Bearer ${account.key}`, accept, ...more },
        },
        (response) => {
          let text = '';
          let pieces = 0;
          const done = () => resolve({ text, pieces, headers: response.headers });
          response.on('data', (chunk: Buffer) => {
            text += chunk;
            pieces += 1;
            if (leaveAfter === undefined || !text.includes(leaveAfter)) return;
            done();
            call.destroy();
          });
          response.on('end', done);
          response.on('error', reject);
        },
      );
      call.on('error', (error) => (leaveAfter === undefined ? reject(error) : undefined));
      call.end(JSON.stringify({ message: 'Hi', dealerSlug: 'streaming-trucks', visitorId }));
      if (leaveAfter === '')
        void vi
          .waitFor(() => expect(provider.calls).toHaveLength(asked + 1))
          .then(() => {
            call.destroy();
            resolve({ text: '', pieces: 0, headers: {} });
          });
    },
  );
}

const lines = () => service.log.filter(({ route }) => route === 'postWidgetChat');
async function readHistory(visitorId: string): Promise<string[]> {
  const account_ = service.ports.conversations.of(account.id);
  const { id } = await account_.enter(
    { dealer: 'streaming-trucks', visitorId, conversationId: null },
    'conv_none',
  );
  return (await account_.history(id, 10)).map(({ role, text }) => `${role}: ${text}`);
}

test('segments come as events over a real connection, and the log line is written at the end', async () => {
  const before = lines().length;
  provider.model = () => choose({ say: 'thank' }, { say: 'ask', about: 'use' }, { say: 'goodbye' });
  const { text, headers } = await ask(newVisitor());
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^req_/),
    'x-content-type-options': 'nosniff',
  });
  const names = ['start', 'text', 'text', 'text', 'vehicles', 'suggestions', 'done'];
  expect(parseEvents(text).map(({ event }) => event)).toEqual(names);
  await vi.waitFor(() => expect(lines()).toHaveLength(before + 1));
  expect(lines().at(-1)).toMatchObject({ status: 200, request_id: headers['x-request-id'] });
});

test('a visitor who leaves stops the provider, and nothing is kept', async () => {
  const visitorId = newVisitor();
  provider.model = () => ({ hang: true });
  await ask(visitorId, '');
  await vi.waitFor(() => expect(provider.aborted).toBe(1));
  expect(await readHistory(visitorId)).toEqual([]);
});
