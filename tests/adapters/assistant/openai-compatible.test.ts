import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAiCompatible } from '../../../lib/adapters/assistant/openai-compatible.ts';
import type { AssistantFailure, AssistantRequest, AssistantTool } from '../../../lib/ports/assistant.ts';
import { choose, startOpenAi } from '../../support/servers/openai-server.ts';

const server = await startOpenAi();
afterAll(() => server.close());
beforeEach(() => {
  server.calls = [];
  server.aborted = 0;
});

const printed = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));

const makeAssistant = (timeoutMs = 10_000, baseUrl = server.url) =>
  openAiCompatible({ baseUrl, apiKey: 'sk-test', model: 'scripted-1' }, timeoutMs);

const echo: AssistantTool = {
  name: 'echo',
  description: 'Repeats.',
  parameters: { type: 'object', properties: { word: { type: 'string', description: 'A word.' } } },
  run: async (input) => ({ heard: input }),
};
const SEGMENTS = [{ say: 'thank' }];

async function ask(change: Partial<AssistantRequest> = {}, assistant = makeAssistant()) {
  let failure: AssistantFailure | undefined;
  const chosen = await assistant
    .choose({
      instructions: 'Be brief.',
      messages: [{ role: 'user', text: 'Marked message quetzal' }],
      tools: [echo],
      answer: { type: 'object', properties: {} },
      steps: 3,
      signal: new AbortController().signal,
      onTokens: () => undefined,
      ...change,
    })
    .catch((error: unknown) => {
      failure = error as AssistantFailure;
    });
  return { chosen, failure };
}

test('what the model chooses is answered; instructions, history and tools are sent by the protocol', async () => {
  server.model = () => choose(...SEGMENTS);
  const messages = [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'Hello.' },
    { role: 'user', text: 'Well?' },
  ] as const;
  expect(await ask({ messages })).toEqual({ chosen: { segments: SEGMENTS }, failure: undefined });
  const [call] = server.calls;
  expect(call?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Hi'],
    ['assistant', 'Hello.'],
    ['user', 'Well?'],
  ]);
  expect(call).toMatchObject({
    model: 'scripted-1',
    authorization: 'Bearer sk-test',
    tool_choice: 'required',
  });
  expect(call?.tools.map((tool) => tool.function.name)).toEqual(['echo', 'answer']);
});

test('a model that calls tools for ever is stopped, and chose nothing', async () => {
  server.model = () => ({ call: [{ name: 'echo', args: { word: 'again' } }] });
  expect(await ask()).toEqual({ chosen: null, failure: undefined });
  expect(server.calls).toHaveLength(3);
});

test('a tool that fails ends the choice with its error, and the model is told no word of it', async () => {
  server.model = ({ results }) =>
    results.length === 0 ? { call: [{ name: 'echo', args: {} }] } : choose(...SEGMENTS);
  const run = async () => {
    throw new Error('secret of the database');
  };
  const { failure } = await ask({ tools: [{ ...echo, run }] });
  expect(failure?.message).toBe('secret of the database');
  expect(JSON.stringify(server.calls)).not.toContain('secret of');
});

test.each([
  ['arguments that are no JSON', { callRaw: { name: 'echo', args: '{"word": nope' } }],
  ['a tool that there is not', { call: [{ name: 'delete_all', args: {} }] }],
] as const)('%s are a slip of the model, which it may correct', async (_, slip) => {
  let calls = 0;
  server.model = () => (calls++ === 0 ? slip : choose(...SEGMENTS));
  expect((await ask()).chosen).toEqual({ segments: SEGMENTS });
});

test.each([
  ['refused (500)', { status: 500 }],
  ['refused (401)', { status: 401, body: '{"error":{"message":"bad key for Marked message quetzal"}}' }],
] as const)('%s: a provider that does %j', async (reason, move) => {
  server.model = () => move;
  const { failure } = await ask();
  expect(failure?.name).toBe('AssistantFailure');
  expect(failure?.message).toBe(`the assistant: ${reason}`);
  expect(JSON.stringify([failure, failure?.stack, failure?.cause])).not.toContain('quetzal');
  expect(server.calls).toHaveLength(1);
});

test('one that is not there is unreachable, and one whose caller leaves is aborted', async () => {
  expect((await ask({}, makeAssistant(10_000, 'http://127.0.0.1:9/v1'))).failure?.reason).toBe('unreachable');
  server.model = () => ({ hang: true });
  const leaving = new AbortController();
  const asked = ask({ signal: leaving.signal });
  await vi.waitFor(() => expect(server.calls).toHaveLength(1));
  leaving.abort();
  expect((await asked).failure?.reason).toBe('aborted');
  await vi.waitFor(() => expect(server.aborted).toBe(1));
});

test.each([
  { hang: true },
  { die: true },
  { say: 'Prose.' },
  { garbage: '<html>quetzal</html>', type: 'text/html' },
  { garbage: '{"error":{"message":"overloaded quetzal"}}' },
] as const)('one that was reached and does %j chose nothing', async (move) => {
  server.model = () => move;
  const timeoutMs = 'hang' in move ? 500 : 10_000;
  expect(await ask({}, makeAssistant(timeoutMs))).toEqual({ chosen: null, failure: undefined });
});

test('nothing of all that was printed', () => {
  for (const spy of printed) expect(spy.mock.calls).toEqual([]);
});

describe('what a choice cost', () => {
  const count = async () => {
    const counts: number[] = [];
    await ask({ onTokens: (tokens) => counts.push(tokens) });
    expect(counts).toHaveLength(1);
    return counts[0] ?? 0;
  };

  test('is what the provider reports', async () => {
    server.model = () => ({ ...choose(...SEGMENTS), tokens: 1_234 });
    expect(await count()).toBe(1_234);
  });

  test('is estimated by the characters sent where it reports nothing, or breaks off', async () => {
    for (const move of [choose(...SEGMENTS), { die: true } as const]) {
      server.model = () => move;
      expect(await count()).toBeGreaterThan(50);
    }
  });
});
