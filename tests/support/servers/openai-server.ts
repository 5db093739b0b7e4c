import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listenHttp } from './ports.ts';

/** A server that speaks OpenAI's chat completions as the real ones do, with a model that does what a test says. */

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
}

/** A call as it arrived. */
export interface ModelCall {
  messages: ModelMessage[];
  tools: { function: { name: string; description: string; parameters: unknown } }[];
  /** What the tools answered in this turn, parsed, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tools answer whatever they like
  results: any[];
  model: string;
  authorization: string | undefined;
}

/** What the model does in one call. */
export type Move =
  /** Writes prose, and reports what it cost. */
  | { say: string; tokens?: number }
  /** Calls tools; arguments that are a text are sent as they are. */
  | { call: readonly { name: string; args: unknown }[]; tokens?: number }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection breaks in the midst of the answer. */
  | { die: true }
  /** Accepts the call and never answers. */
  | { hang: true }
  /** A 200 that is no completion. */
  | { garbage: string; type?: string };

/** Ends the choice with these segments. */
export const choose = (...segments: readonly object[]): Move => ({
  call: [{ name: 'answer', args: { segments } }],
});

export type OpenAiServer = Awaited<ReturnType<typeof startOpenAi>>;

export async function startOpenAi() {
  const { host, close } = await listenHttp(
    createServer((request, response) => void answer(request, response)),
  );
  const server = {
    /** For AI_BASE_URL. */
    url: `http://${host}/v1`,
    calls: [] as ModelCall[],
    /** Calls whose connection the caller ended before the answer was complete. */
    aborted: 0,
    model: (() => choose({ say: 'greet' })) as (call: ModelCall) => Move | Promise<Move>,
    close,
  };
  return server;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return void response.writeHead(404).end();
    const body = JSON.parse(await text(request));
    response.on('close', () => {
      if (!response.writableFinished) server.aborted += 1;
    });
    const messages: ModelMessage[] = body.messages;
    const call: ModelCall = {
      ...body,
      results: messages
        .slice(messages.findLastIndex(({ role }) => role === 'user'))
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => parsed(content ?? '')),
      tools: body.tools ?? [],
      authorization: request.headers.authorization,
    };
    server.calls.push(call);
    await act(await server.model(call), response);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function act(move: Move, response: ServerResponse): Promise<void> {
  if ('hang' in move) return;
  const answer = (status: number, body: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  if ('status' in move) {
    const failure = { error: { message: 'scripted failure', type: 'server_error' } };
    answer(move.status, move.body ?? JSON.stringify(failure), move.headers);
  } else if ('garbage' in move) answer(200, move.garbage, move.type && { 'content-type': move.type });
  else if ('die' in move) {
    response.write('{"id":"chatcmpl-1","choices":[{"message":{"content":"First of a');
    // What was written has to leave first.
    await delay(20);
    response.destroy();
  } else answer(200, JSON.stringify(toCompletion(move)));
}

function toCompletion(move: {
  say?: string;
  call?: readonly { name: string; args: unknown }[];
  tokens?: number;
}) {
  const tool_calls = move.call?.map(({ name, args }, index) => ({
    id: `call_${index}_${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: move.say ?? null, tool_calls };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: tool_calls ? 'tool_calls' : 'stop' }],
    usage: move.tokens && { prompt_tokens: move.tokens - 1, completion_tokens: 1, total_tokens: move.tokens },
  };
}
