import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAiCompatible } from '../../../lib/adapters/assistant/openai-compatible.ts';
import type { AssistantFailure, AssistantRequest, AssistantTool } from '../../../lib/ports/assistant.ts';
import { startOpenAi } from '../../support/servers/openai-server.ts';

const server = await startOpenAi();
afterAll(() => server.close());
beforeEach(() => {
  server.calls = [];
  server.aborted = 0;
});

const GENEROUS = { idleMs: 5_000, totalMs: 10_000 };
/** For a provider that tries one's timeouts. */
const SHORT = { idleMs: 300, totalMs: 900 };
const printed = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));

const makeAssistant = (baseUrl = server.url, timeouts = GENEROUS) =>
  openAiCompatible({ baseUrl, apiKey: 'sk-test', model: 'scripted-1' }, timeouts);

const echo: AssistantTool = {
  name: 'echo',
  description: 'Repeats.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', description: 'A word.' } },
    required: ['word'],
    additionalProperties: false,
  },
  run: async (input) => ({ heard: input }),
};

async function reply(
  change: Partial<AssistantRequest> = {},
  assistant = makeAssistant(),
  onText: (text: string) => void = () => undefined,
) {
  const pieces: string[] = [];
  let failure: AssistantFailure | undefined;
  try {
    for await (const piece of assistant.reply({
      instructions: 'Be brief.',
      messages: [{ role: 'user', text: 'Marked message quetzal' }],
      tools: [echo],
      steps: 3,
      signal: new AbortController().signal,
      onTokens: () => undefined,
      ...change,
    })) {
      pieces.push(piece);
      onText(pieces.join(''));
    }
  } catch (error) {
    failure = error as AssistantFailure;
  }
  return { text: pieces.join(''), failure };
}

test('what the model writes comes in pieces, with instructions, history and tools sent by the protocol', async () => {
  server.model = () => ({ say: 'Two words. And more.' });
  const messages = [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'Hello.' },
    { role: 'user', text: 'Well?' },
  ] as const;
  expect(await reply({ messages })).toEqual({ text: 'Two words. And more.\n', failure: undefined });
  const [call] = server.calls;
  expect(call?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Hi'],
    ['assistant', 'Hello.'],
    ['user', 'Well?'],
  ]);
  expect(call).toMatchObject({ model: 'scripted-1', stream: true, authorization: 'Bearer sk-test' });
  expect(call?.tools.map((tool) => tool.function)).toEqual([
    expect.objectContaining({ name: 'echo', description: 'Repeats.', parameters: echo.parameters }),
  ]);
});

test('a model that calls tools for ever is stopped: in the last step it has none to call', async () => {
  server.model = () => ({ call: [{ name: 'echo', args: { word: 'again' } }] });
  await reply();
  expect(server.calls).toHaveLength(3);
});

test('a tool that fails ends the reply with its error, and the model is told no word of it', async () => {
  server.model = ({ results }) =>
    results.length === 0 ? { call: [{ name: 'echo', args: {} }] } : { say: 'So.' };
  const run = async () => {
    throw new Error('secret of the database');
  };
  const { failure } = await reply({ tools: [{ ...echo, run }] });
  expect(failure?.message).toBe('secret of the database');
  expect(JSON.stringify(server.calls)).not.toContain('secret of');
});

test.each([
  ['arguments that are no JSON', { callRaw: { name: 'echo', args: '{"word": nope' } }],
  ['a tool that there is not', { call: [{ name: 'delete_all', args: {} }] }],
] as const)('%s are a slip of the model, which it may correct', async (_, slip) => {
  let calls = 0;
  server.model = () => (calls++ === 0 ? slip : { say: 'Sorry.' });
  expect(await reply()).toEqual({ text: 'Sorry.\n', failure: undefined });
});

test.each([
  ['refused (500)', { status: 500 }],
  ['refused (401)', { status: 401, body: '{"error":{"message":"bad key for Marked message quetzal"}}' }],
  ['timeout', { hang: true }],
  ['broke_off', { dieAfter: 'I was about ' }],
  ['broke_off', { garbage: '<html>Marked message quetzal</html>', type: 'text/html' }],
  ['broke_off', { garbage: 'data: {"error":{"message":"overloaded quetzal"}}\n\n' }],
] as const)('%s: a provider that does %j', async (reason, move) => {
  server.model = () => move;
  const timeouts = reason === 'timeout' ? SHORT : GENEROUS;
  const { failure } = await reply({}, makeAssistant(server.url, timeouts));
  expect(failure?.name).toBe('AssistantFailure');
  expect(failure?.message).toBe(`the assistant: ${reason}`);
  expect(JSON.stringify([failure, failure?.stack, failure?.cause])).not.toContain('quetzal');
  expect(server.calls).toHaveLength(1);
});

test('a reply that comes drop by drop is cut off when all of it takes too long', async () => {
  server.model = () => ({ say: Array.from({ length: 50 }, () => 'word '), every: 100 });
  const timeouts = { ...GENEROUS, totalMs: 1_500 };
  const { text, failure } = await reply({}, makeAssistant(server.url, timeouts));
  expect([failure?.reason, text.startsWith('word ')]).toEqual(['timeout', true]);
});

test('nothing of all that was printed', () => {
  for (const spy of printed) expect(spy.mock.calls).toEqual([]);
});

describe('what a reply cost', () => {
  const count = async (change: Partial<AssistantRequest> = {}) => {
    const counts: number[] = [];
    await reply({ onTokens: (tokens) => counts.push(tokens), ...change });
    expect(counts).toHaveLength(1);
    return counts[0] ?? 0;
  };

  test('is what the provider reports, which is asked to', async () => {
    server.model = () => ({ say: 'Two words.', tokens: 1_234 });
    expect(await count()).toBe(1_234);
    expect(server.calls.at(-1)).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('is estimated by its characters where it reports nothing, each step with what was said before', async () => {
    server.model = () => ({ say: 'x'.repeat(3_000) });
    const short = await count();
    expect(short).toBeGreaterThan(1_000);
    expect(short).toBeLessThan(1_300);
    server.model = ({ results: [heard] }) =>
      heard ? { say: 'Well.' } : { call: [{ name: 'echo', args: { word: 'x'.repeat(3_000) } }] };
    expect(await count()).toBeGreaterThan(1_000);
  });
});
