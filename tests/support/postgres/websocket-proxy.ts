import { type AddressInfo, connect } from 'node:net';
import { VercelClient } from '@vercel/postgres';
import { createWebSocketStream, WebSocketServer } from 'ws';

/**
 * What Neon has in front of its databases, Postgres' wire protocol inside a WebSocket: leads every one to the server of
 * this URL, whatever address the client asks for.
 */
export async function startWebSocketProxy(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (webSocket) => {
    const client = createWebSocketStream(webSocket);
    const database = connect(Number(port), hostname).setNoDelay();
    client.pipe(database).pipe(client);
    client.on('error', () => database.destroy());
    client.on('close', () => database.destroy());
    database.on('error', () => webSocket.terminate());
    database.on('close', () => webSocket.close());
  });
  const { port: ownPort } = server.address() as AddressInfo;
  connectThrough(ownPort);
  return {
    port: ownPort,
    async close() {
      for (const webSocket of server.clients) webSocket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Has @vercel/postgres connect to this port of the machine from now on: it knows one proxy at a time. */
export function connectThrough(port: number): void {
  const { neonConfig } = new VercelClient({ connectionString: 'postgres://nobody@localhost/none' });
  Object.assign(neonConfig.constructor, {
    wsProxy: () => `127.0.0.1:${port}/v2`,
    useSecureWebSocket: false,
    // Only Neon asks for the password in clear text inside TLS, so that it can be sent ahead.
    pipelineConnect: false,
  });
}
