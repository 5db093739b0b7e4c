/**
 * Ends a statement nobody waits for any more: a CancelRequest on a connection of its own. It costs nothing until a
 * statement has overrun its budget, and unlike a session's statement_timeout it passes through a pooler. Best effort:
 * without it an abandoned statement would go on, holding its locks, while callers retry.
 */

/** Longest a cancel request may take, ms: a database that is gone does not answer this either. */
const PATIENCE = 300;

/** The part of a driver's connection that can send a CancelRequest; pg and Neon's driver have it, undeclared. */
interface Wire {
  connect(port: number, host: string): void;
  cancel(processId: number, secret: number): void;
  on(event: 'connect' | 'end' | 'error', listener: () => void): void;
  stream: unknown;
}

/** Asks the server to end what `busy` runs, through `spare`, an unconnected client of the same settings. */
export function cancelStatement(busy: unknown, spare: unknown): Promise<void> {
  const wire = wireOf(spare);
  const [processId, secret] = [numberOf(busy, 'processID'), numberOf(busy, 'secretKey')];
  const [host, port] = [stringOf(spare, 'host'), numberOf(spare, 'port')];
  if (!wire || processId === null || secret === null || host === null || port === null)
    return Promise.resolve();

  return new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      cut(wire.stream);
      resolve();
    };
    const timer = setTimeout(done, PATIENCE);
    wire.on('connect', () => wire.cancel(processId, secret));
    // The server closes the connection once it has passed the request on.
    wire.on('end', done);
    wire.on('error', done);
    wire.connect(port, host);
  });
}

/** Drops a client's socket at once; a polite goodbye to a host that is gone would linger for minutes. */
export function cutClient(client: unknown): void {
  const wire = wireOf(client);
  if (wire) cut(wire.stream);
}

function cut(stream: unknown): void {
  const webSocket = member(stream, 'ws');
  if (!call(webSocket, 'terminate')) call(stream, 'destroy');
}

function wireOf(client: unknown): Wire | null {
  const wire = member(client, 'connection');
  return isWire(wire) ? wire : null;
}

function isWire(value: unknown): value is Wire {
  return (
    typeof member(value, 'connect') === 'function' &&
    typeof member(value, 'cancel') === 'function' &&
    typeof member(value, 'on') === 'function'
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function call(value: unknown, method: string): boolean {
  const found = member(value, method);
  if (typeof found !== 'function') return false;
  found.call(value);
  return true;
}

function numberOf(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === 'number' ? found : null;
}

function stringOf(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}
