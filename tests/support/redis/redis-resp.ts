import { connect, type Socket } from 'node:net';

/** What Redis answers; an error inside an array stays a value. */
export type Reply = string | number | null | RedisError | Reply[];

export class RedisError extends Error {}

export interface RespClient {
  /** Sends the commands in one write, nothing in between, and answers their replies in order. */
  send(commands: readonly (readonly string[])[]): Promise<Reply[]>;
  close(): void;
}

interface Waiting {
  replies: Reply[];
  want: number;
  resolve(replies: Reply[]): void;
  reject(error: Error): void;
}

/** A small Redis client: one connection, pipelined; opened at the first command and again after it broke. */
export function respClient(port: number): RespClient {
  let socket: Socket | null = null;
  let queue: Waiting[] = [];

  function open(): Socket {
    const fresh = connect({ port, host: '127.0.0.1', noDelay: true });
    let buffer = Buffer.alloc(0);
    fresh.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let read = parse(buffer, 0); read !== null; read = parse(buffer, 0)) {
        buffer = buffer.subarray(read.next);
        deliver(read.reply);
      }
    });
    fresh.on('error', () => {});
    fresh.on('close', () => {
      if (socket === fresh) socket = null;
      const lost = queue;
      queue = [];
      for (const waiting of lost) waiting.reject(new RedisError('ERR connection to redis lost'));
    });
    return fresh;
  }

  function deliver(reply: Reply): void {
    const [first] = queue;
    if (first === undefined) return;
    first.replies.push(reply);
    if (first.replies.length === first.want) queue.shift()?.resolve(first.replies);
  }

  return {
    send: (commands) =>
      new Promise((resolve, reject) => {
        queue.push({ replies: [], want: commands.length, resolve, reject });
        socket ??= open();
        socket.write(commands.map(encode).join(''));
      }),
    close: () => socket?.destroy(),
  };
}

function encode(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
}

/** One whole reply of RESP 2 from `at`; null while some of it is missing. */
function parse(buffer: Buffer, at: number): { reply: Reply; next: number } | null {
  const end = buffer.indexOf('\r\n', at);
  if (end === -1) return null;
  const line = buffer.toString('utf8', at + 1, end);
  const next = end + 2;
  switch (buffer.toString('latin1', at, at + 1)) {
    case ':':
      return { reply: Number(line), next };
    case '-':
      return { reply: new RedisError(line), next };
    case '$':
      return bulk(buffer, Number(line), next);
    case '*':
      return list(buffer, Number(line), next);
    default:
      return { reply: line, next };
  }
}

function bulk(buffer: Buffer, length: number, at: number): { reply: Reply; next: number } | null {
  if (length === -1) return { reply: null, next: at };
  if (buffer.length < at + length + 2) return null;
  return { reply: buffer.toString('utf8', at, at + length), next: at + length + 2 };
}

function list(buffer: Buffer, length: number, at: number): { reply: Reply; next: number } | null {
  if (length === -1) return { reply: null, next: at };
  const reply: Reply[] = [];
  let next = at;
  while (reply.length < length) {
    const read = parse(buffer, next);
    if (read === null) return null;
    reply.push(read.reply);
    next = read.next;
  }
  return { reply, next };
}
