import { afterAll, describe, expect, test } from 'vitest';
import { measureStretches } from '../../support/processes/thread-time.ts';
import { costlyColumns, hostileFiles } from '../../support/samples/hostile-files.ts';
import { cleanTrucks } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/** A dealer's file that is made to do harm: nobody else's request waits for it, and it is not tried for ever. */

/** Gives a file no time to be read: every one breaks its worker. */
const server = await startFeedServer();
const service = await startService(server.ports);
const impatient = await startService((base) => ({
  ...server.ports(base),
  feedFiles: {
    open: (path, format) => base.feedFiles.open(path, format, 1),
    rows: (part) => base.feedFiles.rows(part),
  },
}));
afterAll(() => server.close());

/** Of each format one: what each costs its reader, and not this thread, is shown where files are read. */
const ONE_OF_EACH = [...Map.groupBy(hostileFiles(), ({ format }) => format).values()].flatMap((files) =>
  files.slice(-1),
);
/** As many names as a mapping may have. */
const MAPPING = Object.fromEntries(Array.from({ length: 499 }, (_, at) => [`none ${at}`, null]));

describe('while a hostile file is previewed', () => {
  test.each([...ONE_OF_EACH, ...costlyColumns()])(
    '$format: $name: health and a stranger are answered',
    async ({ content }) => {
      const [dealer, stranger] = [await service.newAccount(), await service.newAccount()];
      const longestStretch = measureStretches();
      let isDone = false;
      const preview = dealer
        .call('POST', '/v1/feeds/preview', { sample_base64: content.toString('base64'), mapping: MAPPING })
        .finally(() => {
          isDone = true;
        });
      do {
        expect((await service.call('GET', '/api/health', {})).status).toBe(200);
        expect((await stranger.call('GET', '/v1/inventory/1FUJGLDR3HLAB1234')).status).toBe(404);
      } while (!isDone);
      const { status, body } = await preview;
      expect([200, 400], JSON.stringify(body).slice(0, 300)).toContain(status);
      expect(longestStretch()).toBeLessThan(1_000);
    },
  );
});

test('a file that breaks its reader fails its run and is refused in a preview, with what to change', async () => {
  const { account, pull } = await newLot(impatient, server);
  const error = { reason: 'reader_timeout', fix: expect.any(String) };
  await pull(cleanTrucks(2), { status: 'failed', error });
  const sample = 'VIN,Year\nA,2020\n';
  const { status, body } = await account.call('POST', '/v1/feeds/preview', { sample });
  expect([status, body.error.details]).toMatchObject([400, error]);
});
