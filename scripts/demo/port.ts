import { createServer } from 'node:net';

/** The wanted port when nobody listens there, else a free one: known before the service that takes it starts. */
export async function choosePort(wanted: number, host: string): Promise<number> {
  return (await tried(wanted, host)) ?? (await tried(0, host)) ?? wanted;
}

function tried(port: number, host: string): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      const found = address !== null && typeof address === 'object' ? address.port : null;
      server.close(() => resolve(found));
    });
  });
}
