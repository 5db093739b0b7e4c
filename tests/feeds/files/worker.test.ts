import { describe, expect, test } from 'vitest';
import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { FEED_FAULTS } from '../../../lib/feeds/feed-faults.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { measureStretches } from '../../support/processes/thread-time.ts';
import { hostileFiles } from '../../support/samples/hostile-files.ts';
import { newFolder } from './read.ts';

/** A dealer's file is read in a thread of its own: whatever is in it, the caller's thread goes on. */

const folder = await newFolder();

const MINUTE = 60_000;

test.each(hostileFiles())(
  '$format: $name: rows or a fault, while this thread goes on',
  async ({ content }) => {
    const longestStretch = measureStretches();
    const outcome = await folder.readInWorker(content);
    if (!outcome.endsWith(' rows')) expect(Object.keys(FEED_FAULTS)).toContain(outcome);
    expect(outcome).not.toMatch(/^reader_/);
    // Readers on this thread took it for a second to for ever.
    expect(longestStretch()).toBeLessThan(500);
  },
);

describe('a reader is ended', () => {
  test('when it takes too much memory, and the process lives on', async () => {
    const large = await folder.write(`[${'{"vin":"V100","a":1},'.repeat(1_000_000)}{}]`);
    const files = feedFiles(1e9, { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 });
    const readPart = async () => (await files.open(large, FEED_DEFAULTS, MINUTE)).parts().next();
    await expect(readPart()).rejects.toMatchObject({ reason: 'reader_out_of_memory' });
    expect(await folder.readInWorker('VIN,Year\nA,2020\n')).toBe('1 rows');
  });

  test('when its caller has enough', async () => {
    const path = await folder.write(`VIN,Year\n${'A,2020\n'.repeat(100_000)}`);
    const file = await feedFiles().open(path, FEED_DEFAULTS, MINUTE);
    for await (const { rows } of file.parts()) {
      expect(rows).toBe(5_000);
      break;
    }
    expect(process.getActiveResourcesInfo()).not.toContain('Worker');
  });
});

describe('parts', () => {
  test('have the rows in order, and the same sum for the same rows', async () => {
    const rows = Array.from({ length: 23 }, (_, at) => `V${100 + at},"two\nlines, ${at}",é`);
    const files = feedFiles(5);
    const readParts = async (lines: string[]) => {
      const path = await folder.write(`VIN,Text,City\n${lines.join('\n')}\n`);
      const parts = [];
      for await (const part of (await files.open(path, FEED_DEFAULTS, MINUTE)).parts()) parts.push(part);
      return parts;
    };
    const before = await readParts(rows);
    expect(before.map((part) => [part.no, part.rows])).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 3],
    ]);
    const slices = await Promise.all(before.map(({ bytes }) => files.rows([bytes])));
    expect(slices.flat(2)).toEqual(
      rows.map((_, at) => ({
        line: 2 + 2 * at,
        record: { vin: `V${100 + at}`, city: 'é', attributes: { Text: `two\nlines, ${at}` } },
        fault: null,
      })),
    );
    // What comes behind moves up a line.
    const after = await readParts(rows.with(13, 'V113,other,é'));
    const isSame = before.map(({ sha256 }, at) => sha256 === after[at]?.sha256);
    expect(isSame).toEqual([true, true, false, false, false]);
  });

  test('of large rows are small, and their rows come some at a time', async () => {
    const rows = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ vin: `V${100 + at}`, text: 'x'.repeat(300_000) }),
    );
    const files = feedFiles();
    const path = await folder.write(rows.join('\n'));
    const parts: number[][] = [];
    for await (const { bytes } of (
      await files.open(path, { ...FEED_DEFAULTS, format: 'ndjson' }, MINUTE)
    ).parts())
      parts.push((await files.rows([bytes])).map(({ length }) => length));
    const slices = parts.flat();
    expect(slices.reduce((sum, size) => sum + size, 0)).toBe(30);
    expect([parts.length, Math.max(...slices)]).toEqual([2, 4]);
  });
});

test('a JSON document as large as may be is read', async () => {
  const columns = Array.from({ length: 40 }, (_, n) => [`column_${n}`, `value # ${n}`]);
  const truck = JSON.stringify({ vin: '1FUJGLDR3HLAB#', year: 2017, ...Object.fromEntries(columns) });
  const rows = Math.floor((64 * 1024 * 1024) / (truck.replaceAll('#', '10000').length + 1)) - 10;
  const trucks = Array.from({ length: rows }, (_, at) => truck.replaceAll('#', String(at + 1)));
  const content = `[${trucks.join(',')}]`;
  expect(await folder.readInWorker(content)).toBe(`${rows} rows`);
});
