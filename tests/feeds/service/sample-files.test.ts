import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/** The two files of docs/feeds.md with which a developer sees a run held, and releases it. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const readSample = (name: string) =>
  readFile(new URL(`../../../public/samples/${name}.csv`, import.meta.url), 'utf8');

/** As a web server answers two files of one release. */
const HEADERS = { 'last-modified': new Date(Date.now() - 86_400_000).toUTCString() };

test('the second file is held because of 21 trucks, and they are delisted once it is released', async () => {
  const { account, pull, run, feed } = await newLot(service, server);
  await pull(await readSample('lot-full'), { status: 'succeeded', created: 24, rejected: 0 }, HEADERS);
  const short = server.file();
  short.serve(await readSample('lot-short'), HEADERS);
  await account.call('PATCH', `/v1/feeds/${feed}`, { url: short.url });
  const held = await run();
  expect(held).toMatchObject({ status: 'held', would_delist: 21, delisted: 0 });
  const path = `/v1/feeds/${feed}/runs/${held.id}`;
  const waiting = await account.call('GET', `${path}/changes?kind=would_delist&limit=200`);
  expect(waiting.body.changes).toHaveLength(21);
  const released = await account.call('POST', `${path}/release?wait=true`);
  expect(released.body).toMatchObject({ status: 'succeeded', delisted: 21 });
});
