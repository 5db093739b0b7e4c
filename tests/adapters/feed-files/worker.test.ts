import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { feedFiles } from '../../../lib/adapters/feed-files/feed-files.ts';
import { FILE_LIMITS, type FileLimits } from '../../../lib/adapters/feed-files/limits.ts';
import { FEED_FAULTS, FeedFault } from '../../../lib/ports/feeds/feed-faults.ts';
import { measureStretches } from '../../support/processes/thread-time.ts';
import { hostileFiles } from '../../support/samples/hostile-files.ts';
import { newFolder } from './read.ts';

/** A dealer's file is read in a thread of its own: whatever is in it, the caller's thread goes on. */

const folder = await newFolder();

const MINUTE = 60_000;

async function readInWorker(
  content: string | Buffer,
  {
    size = 500,
    timeoutMs = MINUTE,
    ...limits
  }: Partial<FileLimits> & { size?: number; timeoutMs?: number } = {},
) {
  const path = await folder.write(content);
  try {
    const file = await feedFiles({ ...FILE_LIMITS, ...limits }).open(path, null, null, timeoutMs);
    let rows = 0;
    for await (const chunk of file.chunks(size)) rows += chunk.rows.length;
    return `${rows} rows`;
  } catch (error) {
    if (error instanceof FeedFault) return error.reason;
    throw error;
  }
}

test.each(hostileFiles())(
  '$format: $name: rows or a fault, while this thread goes on',
  async ({ content }) => {
    const longestStretch = measureStretches();
    const outcome = await readInWorker(content);
    if (!outcome.endsWith(' rows')) expect(Object.keys(FEED_FAULTS)).toContain(outcome);
    expect(outcome).not.toMatch(/^reader_/);
    // Readers on this thread took it for a second to for ever.
    expect(longestStretch()).toBeLessThan(500);
  },
);

describe('a reader is ended', () => {
  test('when it takes too long', async () => {
    expect(await readInWorker('VIN,Year\nA,2020\n', { timeoutMs: 1 })).toBe('reader_timeout');
  });

  test('when it takes too much memory, and the process lives on', async () => {
    const wide = await folder.write(`${'c,'.repeat(900)}VIN\n${`${'x,'.repeat(900)}V\n`.repeat(10_000)}`);
    const limits = { ...FILE_LIMITS, maxChunk: 1e9, maxChunkValues: 1e9 };
    const files = feedFiles(limits, { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 8 });
    const file = await files.open(wide, null, null, MINUTE);
    const reading = file.chunks(1e9)[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toMatchObject({ reason: 'reader_out_of_memory' });
    expect(await readInWorker('VIN,Year\nA,2020\n')).toBe('1 rows');
  });

  test('when its caller has enough', async () => {
    const path = await folder.write(`VIN,Year\n${'A,2020\n'.repeat(100_000)}`);
    const file = await feedFiles().open(path, null, null, MINUTE);
    for await (const { rows } of file.chunks(10)) {
      expect(rows).toHaveLength(10);
      break;
    }
    const other = await feedFiles().open(path, null, null, MINUTE);
    await other.close();
    await expect(other.chunks(10)[Symbol.asyncIterator]().next()).rejects.toThrow();
    expect(process.getActiveResourcesInfo()).not.toContain('Worker');
  });
});

test('large rows come in small chunks, and reading goes on after any of them', async () => {
  const rows = Array.from({ length: 30 }, (_, at) =>
    JSON.stringify({ vin: `V${at}`, text: 'x'.repeat(1_000) }),
  );
  const path = folder.path('large-rows');
  await writeFile(path, rows.join('\n'));
  const files = feedFiles({ ...FILE_LIMITS, maxChunk: 5_000 });
  const seen: unknown[] = [];
  for await (const chunk of (await files.open(path, null, null, MINUTE)).chunks(500)) {
    expect(chunk.rows.length).toBeLessThanOrEqual(5);
    seen.push(...chunk.rows.map(({ fields }) => fields?.vin));
    const rest = await files.open(path, null, chunk.position, MINUTE);
    let left = 0;
    for await (const next of rest.chunks(500)) left += next.rows.length;
    expect(left).toBe(30 - seen.length);
  }
  expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => `V${at}`));
});

test('a file that is not there is a bug, not a fault of the dealer', async () => {
  await expect(feedFiles().open(folder.path('absent'), null, null, MINUTE)).rejects.toThrow('ENOENT');
});
