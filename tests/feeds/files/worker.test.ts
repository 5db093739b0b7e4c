import { describe, expect, test } from 'vitest';
import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { FEED_FAULTS, FeedFault } from '../../../lib/feeds/feed-faults.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { measureStretches } from '../../support/processes/thread-time.ts';
import { hostileFiles } from '../../support/samples/hostile-files.ts';
import { newFolder } from './read.ts';

/** A dealer's file is read in a thread of its own: whatever is in it, the caller's thread goes on. */

const folder = await newFolder();

const MINUTE = 60_000;

async function readInWorker(content: string | Buffer, timeoutMs = MINUTE) {
  const path = await folder.write(content);
  try {
    const file = await feedFiles().open(path, FEED_DEFAULTS, timeoutMs);
    let rows = 0;
    for await (const part of file.parts()) rows += part.rows;
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
    expect(await readInWorker('VIN,Year\nA,2020\n', 1)).toBe('reader_timeout');
  });

  test('when it takes too much memory, and the process lives on', async () => {
    const large = await folder.write(`[${'{"vin":"V100","a":1},'.repeat(1_000_000)}{}]`);
    const files = feedFiles(1e9, { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 });
    const read = async () => (await files.open(large, FEED_DEFAULTS, MINUTE)).parts().next();
    await expect(read()).rejects.toMatchObject({ reason: 'reader_out_of_memory' });
    expect(await readInWorker('VIN,Year\nA,2020\n')).toBe('1 rows');
  });

  test('when its caller has enough', async () => {
    const path = await folder.write(`VIN,Year\n${'A,2020\n'.repeat(100_000)}`);
    const file = await feedFiles().open(path, FEED_DEFAULTS, MINUTE);
    for await (const { rows } of file.parts()) {
      expect(rows).toBe(5_000);
      break;
    }
    const other = await feedFiles().open(path, FEED_DEFAULTS, MINUTE);
    await other.close();
    await expect(other.parts().next()).rejects.toThrow();
    expect(process.getActiveResourcesInfo()).not.toContain('Worker');
  });
});

describe('parts', () => {
  test('have the rows in order, and the same sum for the same rows', async () => {
    const rows = Array.from({ length: 23 }, (_, at) => `V${100 + at},"two\nlines, ${at}",é`);
    const changed = rows.with(13, 'V113,other,é');
    const read = async (these: string[]) => {
      const path = await folder.write(`VIN,Text,City\n${these.join('\n')}\n`);
      const files = feedFiles(5);
      const parts = [];
      for await (const { bytes, ...part } of (await files.open(path, FEED_DEFAULTS, MINUTE)).parts())
        parts.push({ ...part, slices: await files.rows([bytes]) });
      return parts;
    };
    const [before, after] = [await read(rows), await read(changed)];
    expect(before.map((part) => [part.no, part.rows])).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 3],
    ]);
    expect(before.flatMap(({ slices }) => slices.flat())).toEqual(
      rows.map((_, at) => ({
        line: 2 + 2 * at,
        record: { vin: `V${100 + at}`, city: 'é', attributes: { Text: `two\nlines, ${at}` } },
        fault: null,
      })),
    );
    // What comes behind moves up a line.
    expect(before.filter(({ sha256 }, at) => sha256 === after[at]?.sha256).map(({ no }) => no)).toEqual([
      1, 2,
    ]);
  });

  test('of large rows are small, and their rows come some at a time', async () => {
    const rows = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ vin: `V${100 + at}`, text: 'x'.repeat(300_000) }),
    );
    const files = feedFiles();
    const file = await files.open(
      await folder.write(rows.join('\n')),
      { ...FEED_DEFAULTS, format: 'ndjson' },
      MINUTE,
    );
    const sizes: number[][] = [];
    for await (const { bytes } of file.parts())
      sizes.push((await files.rows([bytes])).map(({ length }) => length));
    expect(sizes.flat().reduce((sum, size) => sum + size, 0)).toBe(30);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes.flat())).toBe(4);
  });
});

test('a JSON document as large as may be is read', async () => {
  const truck = (at: number) => ({
    vin: `1FUJGLDR3HLAB${at}`,
    year: 2017,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`column_${n}`, `value ${at} ${n}`])),
  });
  const one = JSON.stringify(truck(10_000)).length + 1;
  const rows = Math.floor((64 * 1024 * 1024) / one) - 10;
  const content = `[${Array.from({ length: rows }, (_, at) => JSON.stringify(truck(at + 1))).join(',')}]`;
  expect(await readInWorker(content)).toBe(`${rows} rows`);
});
