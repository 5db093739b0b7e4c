import type { LookupFunction, Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { OutboundFailure } from '../outbound.ts';

/** What a server may send beside the body: its own head, and of chunks what frames them. */
const MAX_BESIDE = 256 * 1024;
const LOOK_EVERY_MS = 250;

export interface OwnConnection {
  dispatcher: Dispatcher;
  /** Rejects once the server sends too much beside the body. */
  broken: Promise<never>;
  close(): Promise<void>;
}

/**
 * One connection to the checked addresses for one exchange: nothing checked for one request can be reused by another.
 * Its server is cut off when most of what it sends is no body: interim answers without end, and chunks of a byte, cost
 * the process's time while hardly a byte is counted. HTTP/2 has more such ways, and nothing that one exchange needs.
 */
export async function openConnection(addresses: readonly string[]): Promise<OwnConnection> {
  // A bundle knows no names of a CommonJS package.
  const { Agent, buildConnector } = (await import('undici')).default;
  const connect = buildConnector({ lookup: pinAddresses(addresses), allowH2: false });
  let socket: Socket | null = null;
  let body = 0;
  const agent = new Agent({
    allowH2: false,
    maxHeaderSize: 32_768,
    pipelining: 0,
    connect: (options, callback) =>
      connect(options, (...result) => {
        socket = result[1];
        callback(...result);
      }),
  });
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const watch = setInterval(() => {
    const beside = (socket?.bytesRead ?? 0) - body;
    if (beside <= body + MAX_BESIDE) return;
    broken.reject(new OutboundFailure('connection_failed', 'most of what it sends is no body'));
    socket?.destroy();
  }, LOOK_EVERY_MS);
  const count = (bytes: number) => {
    body += bytes;
  };
  return {
    dispatcher: agent.compose(
      (dispatch) => (options, handler) => dispatch(options, withByteCount(handler, count)),
    ),
    broken: broken.promise,
    close() {
      clearInterval(watch);
      return agent.destroy();
    },
  };
}

/** Changes the handler itself, because another object would lack its private members. */
function withByteCount(
  handler: Dispatcher.DispatchHandler,
  count: (bytes: number) => void,
): Dispatcher.DispatchHandler {
  const take = handler.onResponseData;
  handler.onResponseData = (controller, piece) => {
    count(piece.length);
    return take?.call(handler, controller, piece);
  };
  return handler;
}

/** Answers the checked addresses, whatever the name says by now; sockets try one after the other and ask for all. */
export function pinAddresses(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, records);
}
