import { afterAll, beforeEach, expect, test } from 'vitest';
import type {
  AssistantFailure,
  AssistantRequest,
  AssistantTool,
} from '../../../lib/outside/assistant/assistant.ts';
import { openAiCompatible } from '../../../lib/outside/assistant/openai-compatible.ts';
import { choose, startOpenAi } from '../../support/servers/openai-server.ts';

const server = await startOpenAi();
afterAll(() => server.close());
beforeEach(() => {
  server.calls = [];
  server.aborted = 0;
});

const makeAssistant = (timeoutMs = 10_000, baseUrl = server.url) =>
  openAiCompatible({ baseUrl, apiKey: 'sk-test', model: 'scripted-1' }, timeoutMs);

const echo: AssistantTool = {
  name: 'echo',
  description: 'Repeats.',
  parameters: { type: 'object', properties: {} },
  run: async (input) => input,
};
const SEGMENTS = [{ say: 'thank' }];

async function ask(change: Partial<AssistantRequest> = {}, assistant = makeAssistant()) {
  let failure: AssistantFailure | undefined;
  const outcome = await assistant
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
  return { chosen: outcome, failure };
}

test('what the model chooses is answered; instructions, history and tools are sent by the protocol', async () => {
  server.model = () => choose(...SEGMENTS);
  const messages = [
    { role: 'assistant', text: 'Hello.' },
    { role: 'user', text: 'Well?' },
  ] as const;
  expect(await ask({ messages })).toEqual({ chosen: { segments: SEGMENTS }, failure: undefined });
  const [call] = server.calls;
  expect(call?.messages.map(({ content }) => content)).toEqual(['Be brief.', 'Hello.', 'Well?']);
  expect(call).toMatchObject({
    model: 'scripted-1',
    authorization: 'Bearer sk-test',
    tool_choice: 'required',
  });
  expect(call?.tools.map((tool) => tool.function.name)).toEqual(['echo', 'answer']);
});

test('a tool that fails ends the choice with its error, and nothing of it reaches the model', async () => {
  server.model = ({ results }) =>
    results.length === 0 ? { call: [{ name: 'echo', args: {} }] } : choose(...SEGMENTS);
  const run = async () => {
    throw new Error('secret of the database');
  };
  const { failure } = await ask({ tools: [{ ...echo, run }] });
  expect(failure?.message).toBe('secret of the database');
  expect(JSON.stringify(server.calls)).not.toContain('secret of');
});

test('one that is not there is unreachable, and one whose caller leaves is asked no more', async () => {
  expect((await ask({}, makeAssistant(10_000, 'http://127.0.0.1:9/v1'))).failure?.reason).toBe('unreachable');
  const leaving = new AbortController();
  server.model = () => {
    leaving.abort();
    return { hang: true };
  };
  expect((await ask({ signal: leaving.signal })).failure?.reason).toBe('aborted');
  await expect.poll(() => server.aborted).toBe(1);
});

test('what a choice cost is what the provider reports, else estimated by the characters sent', async () => {
  const counts: number[] = [];
  for (const move of [{ ...choose(), tokens: 1_234 }, choose(), { die: true } as const]) {
    server.model = () => move;
    await ask({ onTokens: (tokens) => counts.push(tokens) });
  }
  expect(counts).toEqual([1_234, counts[1], counts[1]]);
  expect(counts[1]).toBeGreaterThan(50);
});
