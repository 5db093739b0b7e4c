import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { listen } from '../../support/servers/ports.ts';

const folder = await suiteFolder();
const path = join(folder, 'file');
let server: TcpServer;
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

/** Sends `head`, then `again` until it is cut off. */
async function startFlood(head: string, loop: string): Promise<number> {
  const flood = Buffer.from(loop.repeat(Math.ceil(100_000 / loop.length)));
  server = createTcpServer((socket) => {
    const more = () => {
      while (socket.writable && socket.write(flood));
    };
    socket.on('error', () => undefined).on('drain', more);
    socket.once('data', () => {
      socket.write(head);
      more();
    });
  });
  return listen(server);
}

/** The server as the guard lets it through, and a download of it. */
function openFetcher(port: number) {
  const fetcher = guardedFetcher({ allow: new Set([`127.0.0.1:${port}`]) });
  const request = { url: `http://127.0.0.1:${port}/`, maxBytes: 100_000_000, timeoutMs: 20_000 };
  return {
    fetch: () => fetcher.fetch(request),
    download: () => fetcher.download(request, { path, minFreeBytes: 0 }),
  };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['interim answers without end', '', 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n'],
  ['chunks of a byte', CHUNKED, '1\r\na\r\n'],
  ['a chunk’s extension without end', `${CHUNKED}1;`, 'a'],
])('a server that sends %s is cut off long before its time is up', async (_, head, loop) => {
  const fetcher = openFetcher(await startFlood(head, loop));
  const refusal = { reason: 'connection_failed', message: expect.stringContaining('no body') };
  await expect(fetcher.download()).rejects.toMatchObject(refusal);
  await expect(fetcher.fetch()).rejects.toMatchObject(refusal);
});

test('a file in many chunks of usual size is taken', async () => {
  server = createServer(async (_, response) => {
    for (let row = 0; row < 20_000; row++)
      if (!response.write('1FUJGLDR9CLBP8834,2012,Freightliner,Cascadia,48500\n'))
        await new Promise((resolve) => response.once('drain', resolve));
    response.end();
  });
  const { file } = await openFetcher(await listen(server)).download();
  expect(file?.bytes).toBe(1_020_000);
});

test('a server that stops in the middle is cut off as one that drips is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const start = Promise.withResolvers<void>();
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('VIN\n');
    start.resolve();
  });
  const { download } = openFetcher(await listen(server));
  const fetched = download().catch((error: unknown) => error);
  await start.promise;
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toBe('VIN\n');
  await vi.advanceTimersByTimeAsync(25_000);
  expect(await fetched).toMatchObject({ reason: 'timeout', message: expect.stringContaining('too slow') });
});
