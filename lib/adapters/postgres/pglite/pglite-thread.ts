// Fails without it: drivers.test.ts, "PGlite", and embedded.test.ts.
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Driver } from '../connection/connection.ts';
import type { FromWorker, ToWorker, WorkerOptions } from './pglite-worker.ts';

/** Longest the worker may take to close in order; afterwards it is terminated, which PGlite survives. */
const CLOSE_TIMEOUT_MS = 300;
/** Longer than any role's statement: a worker that is silent for so long is stuck, and nothing can cancel what it does. */
const MAX_SILENCE_MS = 180_000;

/** PGlite's driver; starts the worker. */
export async function loadPglite(options: WorkerOptions, maxSilenceMs = MAX_SILENCE_MS): Promise<Driver> {
  const thread = new PgliteThread(options, maxSilenceMs);
  // Opening does not count as waiting for an answer.
  const [{ default: pg }] = await Promise.all([import('pg'), thread.start()]);

  class Client extends pg.Client {
    constructor() {
      super({ user: 'postgres', stream: () => new SessionStream(thread) });
    }
  }

  const pool = new pg.Pool({ Client, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return {
    pool,
    places: 1,
    // A session that PostgreSQL ends takes PGlite along; nothing else waits for locks of an instance that is frozen.
    begin: 'begin',
    newClient: null,
    getTypeParser: pg.types.getTypeParser,
    close: () => thread.close(),
  };
}

/** The worker, started again after it died or was stuck. */
class PgliteThread {
  readonly #options: WorkerOptions;
  #worker: Worker | null = null;
  #started: Promise<void> | null = null;
  #stream: SessionStream | null = null;
  #sessions = 0;
  #watchdog: NodeJS.Timeout | undefined;
  readonly #maxSilenceMs: number;

  constructor(options: WorkerOptions, maxSilenceMs: number) {
    this.#options = options;
    this.#maxSilenceMs = maxSilenceMs;
  }

  start(): Promise<void> {
    this.#started ??= new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
        workerData: this.#options,
      });
      this.#worker = worker;
      worker.on('message', (message: FromWorker) => {
        clearTimeout(this.#watchdog);
        if (message.kind === 'ready') resolve();
        else if (message.kind === 'output' && message.session === this.#sessions)
          this.#stream?.push(message.bytes);
      });
      const onEnd = (error?: unknown) => {
        const reason = error instanceof Error ? error : new Error('the embedded database ended');
        if (this.#worker === worker) this.#started = this.#worker = null;
        reject(reason);
        this.#stream?.destroy(reason);
      };
      worker.once('error', onEnd);
      worker.once('exit', () => onEnd());
    });
    return this.#started;
  }

  /** Ends the session before and whatever it left undone. */
  openSession(stream: SessionStream): void {
    this.#stream = stream;
    this.#sessions++;
    this.#post({ kind: 'open', session: this.#sessions });
  }

  send(stream: SessionStream, bytes: Uint8Array<ArrayBuffer>): void {
    if (stream !== this.#stream) return;
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#worker?.terminate(), this.#maxSilenceMs).unref();
    this.#post({ kind: 'input', session: this.#sessions, bytes }, [bytes.buffer]);
  }

  keepsProcessAlive(isBusy: boolean): void {
    if (isBusy) this.#worker?.ref();
    else this.#worker?.unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#watchdog);
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#post({ kind: 'close' });
    const timer = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }
}

/** The socket of pg's client: what it writes goes to the worker, in PostgreSQL's own protocol. */
class SessionStream extends Duplex {
  readonly #thread: PgliteThread;

  constructor(thread: PgliteThread) {
    super({ decodeStrings: true });
    this.#thread = thread;
  }

  connect(): this {
    this.#thread.start().then(
      () => this.emit('connect'),
      (error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    this.#thread.keepsProcessAlive(true);
    return this;
  }

  unref(): this {
    this.#thread.keepsProcessAlive(false);
    return this;
  }

  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    const [first] = chunks;
    // PGlite knows neither a startup message (the only one without a letter) nor Terminate.
    if (first?.chunk[0] === 0) this.#thread.openSession(this);
    else if (first?.chunk[0] !== TERMINATE) {
      const whole = new Uint8Array(chunks.reduce((size, { chunk }) => size + chunk.length, 0));
      let at = 0;
      for (const { chunk } of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      this.#thread.send(this, whole);
    }
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}

const TERMINATE = 'X'.charCodeAt(0);
