import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  body: string;
}

/**
 * One keep-alive HTTP connection that sends requests prepared as bytes and reads no more of an answer than it must:
 * a full client would cost more than the handlers it measures. Answers must carry Content-Length.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #length = 0;
  #missing = 0;
  #waiting: { resolve(answer: RawAnswer): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay();
    socket.on('data', (chunk) => this.#take(chunk));
    const broken = (error?: Error) => this.#waiting?.reject(error ?? new Error('the server hung up'));
    socket.on('error', broken);
    socket.on('close', () => broken());
  }

  static open(origin: string): Promise<Connection> {
    const { hostname, port } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
      socket.once('error', reject);
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(request: Buffer): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) throw new Error('the server has closed the idle connection');
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#missing) return;
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    this.#received = [bytes];
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    const declared = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (declared === undefined) {
      this.#waiting?.reject(new Error(`an answer without Content-Length:\n${head}`));
      return;
    }
    this.#missing = end + 4 + Number(declared);
    if (this.#length < this.#missing) return;
    const answer = {
      status: Number(head.slice(9, 12)),
      body: bytes.toString('utf8', end + 4, this.#missing),
    };
    this.#received = [];
    this.#length = 0;
    this.#missing = 0;
    this.#waiting?.resolve(answer);
  }
}

/** The bytes of a request. */
export function requestBytes(method: string, path: string, key: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const about =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n${about}\r\n${text}`,
  );
}

/**
 * Requests per second over `connections` for `ms`, each sending the next of `requests` as soon as it has its answer.
 * Any answer but 200 ends the run.
 */
export async function throughput(
  connections: readonly Connection[],
  requests: () => Buffer,
  ms: number,
): Promise<number> {
  let answered = 0;
  const started = performance.now();
  const loop = async (connection: Connection) => {
    while (performance.now() - started < ms) {
      const { status, body } = await connection.send(requests());
      if (status !== 200) throw new Error(`answered ${status}: ${body.slice(0, 300)}`);
      answered += 1;
    }
  };
  await Promise.all(connections.map(loop));
  return (answered / (performance.now() - started)) * 1000;
}
