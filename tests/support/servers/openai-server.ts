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
  stream: boolean;
  model: string;
  authorization: string | undefined;
}

/** What the model does in one call. */
export type Move =
  /** Says it in these pieces, `every` ms apart, and reports what it cost. */
  | { say: string | readonly string[]; every?: number; tokens?: number }
  /** Calls tools, with or without a word before. */
  | { call: readonly { name: string; args: unknown }[]; before?: string }
  /** Arguments that are not JSON. */
  | { callRaw: { name: string; args: string } }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Says it, then the connection breaks. */
  | { dieAfter: string }
  /** Says it, then nothing more ever comes. */
  | { hangAfter: string }
  /** Accepts the call and never answers. */
  | { hang: true }
  /** A 200 that is no event stream at all, or events that are no JSON. */
  | { garbage: string; type?: string };

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
    model: () => ({ say: 'Hello.' }),
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
  response.writeHead(200, {
    'content-type': 'garbage' in move ? (move.type ?? 'text/event-stream') : 'text/event-stream',
  });
  if ('garbage' in move) {
    response.end(move.garbage);
    return;
  }
  const send = (delta: object, finish: string | null = null) => {
    const choice = { index: 0, delta, finish_reason: finish };
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [choice] })}\n\n`,
    );
  };
  send({ role: 'assistant', content: '' });
  if ('call' in move || 'callRaw' in move) {
    if ('call' in move && move.before !== undefined) send({ content: move.before });
    const calls =
      'call' in move
        ? move.call.map(({ name, args }) => ({ name, args: JSON.stringify(args) }))
        : [move.callRaw];
    for (const [index, { name, args }] of calls.entries()) {
      const id = `call_${index}_${Math.random().toString(36).slice(2)}`;
      send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const piece of args.match(/.{1,7}/gsu) ?? [])
        send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    send({}, 'tool_calls');
  } else {
    const text = 'say' in move ? move.say : 'dieAfter' in move ? move.dieAfter : move.hangAfter;
    const pieces = typeof text === 'string' ? (text.match(/.{1,9}/gsu) ?? []) : text;
    for (const piece of pieces) {
      if ('say' in move && move.every) await delay(move.every);
      if (response.destroyed) return;
      send({ content: piece });
    }
    if ('hangAfter' in move) return;
    if ('dieAfter' in move) {
      // What was written has to leave first.
      await delay(20);
      response.destroy();
      return;
    }
    if ('say' in move) send({}, 'stop');
  }
  if ('say' in move && move.tokens) {
    const usage = { prompt_tokens: move.tokens - 1, completion_tokens: 1, total_tokens: move.tokens };
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage })}\n\n`,
    );
  }
  response.end('data: [DONE]\n\n');
}
