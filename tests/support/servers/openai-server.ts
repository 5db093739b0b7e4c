import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listenHttp } from './ports.ts';

/** A server that speaks OpenAI's chat completions as the real ones do, with a model that does what a test says. */

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
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
  /** Calls tools. */
  | { call: readonly { name: string; args: unknown }[]; tokens?: number }
  /** Arguments that are not JSON. */
  | { callRaw: { name: string; args: string } }
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

export interface OpenAiServer {
  /** For AI_BASE_URL. */
  url: string;
  calls: ModelCall[];
  /** Calls whose connection the caller ended before the answer was complete. */
  aborted: number;
  model: (call: ModelCall) => Move | Promise<Move>;
  close(): Promise<void>;
}

export async function startOpenAi(): Promise<OpenAiServer> {
  const http = createServer((request, response) => void answer(request, response));
  const { host, close } = await listenHttp(http);
  const server: OpenAiServer = {
    url: `http://${host}/v1`,
    calls: [],
    aborted: 0,
    model: () => choose({ say: 'greet' }),
    close,
  };
  return server;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.on('close', () => {
      if (!response.writableFinished) server.aborted += 1;
    });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const last = body.messages.findLastIndex(({ role }: ModelMessage) => role === 'user');
    const call: ModelCall = {
      ...body,
      results: body.messages
        .slice(last)
        .filter(({ role }: ModelMessage) => role === 'tool')
        .map(({ content }: ModelMessage) => parsed(content ?? '')),
      tools: body.tools ?? [],
      authorization: request.headers.authorization,
    };
    server.calls.push(call);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
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
  if ('status' in move) {
    const body =
      move.body ?? JSON.stringify({ error: { message: 'scripted failure', type: 'server_error' } });
    response.writeHead(move.status, { 'content-type': 'application/json', ...move.headers }).end(body);
    return;
  }
  const isGarbage = 'garbage' in move;
  response.writeHead(200, {
    'content-type': isGarbage ? (move.type ?? 'application/json') : 'application/json',
  });
  if (isGarbage) {
    response.end(move.garbage);
    return;
  }
  if ('die' in move) {
    response.write('{"id":"chatcmpl-1","choices":[{"message":{"content":"First of a');
    // What was written has to leave first.
    await delay(20);
    response.destroy();
    return;
  }
  const calls =
    'call' in move
      ? move.call.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }))
      : 'callRaw' in move
        ? [{ name: move.callRaw.name, arguments: move.callRaw.args }]
        : [];
  const message = {
    role: 'assistant',
    content: 'say' in move ? move.say : null,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((called, index) => ({
            id: `call_${index}_${Math.random().toString(36).slice(2)}`,
            type: 'function',
            function: called,
          })),
        }
      : {}),
  };
  const tokens = 'tokens' in move ? (move.tokens ?? 0) : 0;
  const usage =
    tokens > 0 ? { prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens } : undefined;
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [choice],
  };
  response.end(JSON.stringify({ ...completion, usage }));
}
