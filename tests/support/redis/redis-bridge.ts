import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Redis } from 'ioredis';

const KEY_LOCKING = /^#!lua flags=allow-key-locking\r?\n/;

/** Upstash's REST protocol in front of a Redis: `/`, `/pipeline`, `/multi-exec`; counts the requests it gets. */
export function restBridge(redis: Redis, token: string): { server: Server; requests(): number } {
  const plainScripts = new Map<string, string>();
  let requests = 0;

  /** Redis refuses Upstash's flag, so it gets the script without, and the client's SHA is translated. */
  function translate(raw: unknown): string[] {
    if (!Array.isArray(raw)) throw new Error('ERR not a command');
    const command = raw.map(String);
    const [verb = '', script = ''] = command;
    if (/^eval(_ro)?$/i.test(verb)) {
      command[1] = script.replace(KEY_LOCKING, '');
      plainScripts.set(sha1(script), sha1(command[1]));
    } else if (/^evalsha(_ro)?$/i.test(verb)) {
      command[1] = plainScripts.get(script) ?? script;
    }
    return command;
  }

  /** Sent in one go, nothing in between; an error is a reply like others. */
  const send = (commands: readonly string[][]): Promise<unknown[]> =>
    Promise.all(
      commands.map(([verb = '', ...args]) => redis.call(verb, ...args).catch((error: Error) => error)),
    );

  async function answer(path: string, body: unknown, encode: (reply: unknown) => unknown): Promise<unknown> {
    const result = (reply: unknown) =>
      reply instanceof Error ? { error: reply.message } : { result: encode(reply) };
    if (path === '/') return result((await send([translate(body)]))[0]);
    const commands = (body as unknown[]).map(translate);
    if (path === '/pipeline') return (await send(commands)).map(result);
    const results = (await send([['MULTI'], ...commands, ['EXEC']])).at(-1);
    return Array.isArray(results) ? results.map(result) : result(results);
  }

  const server = createServer(async (request, response) => {
    requests += 1;
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`)
      return reply(401, { error: 'WRONGPASS invalid or missing auth token' });
    try {
      const encode = request.headers['upstash-encoding'] === 'base64' ? base64 : (value: unknown) => value;
      const body = await answer(request.url ?? '/', await json(request), encode);
      return reply(isError(body) ? 400 : 200, body);
    } catch (error) {
      return reply(500, { error: String(error) });
    }
  });
  return { server, requests: () => requests };
}

function isError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body;
}

function base64(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(base64);
  if (typeof reply === 'string' && reply !== 'OK') return Buffer.from(reply).toString('base64');
  return reply;
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
