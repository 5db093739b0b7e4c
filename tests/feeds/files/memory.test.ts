import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { expect, test } from 'vitest';
import { readFeedFile } from '../../../lib/feeds/files/read-file.ts';
import { newFolder } from './read.ts';

const folder = await newFolder();

test('memory does not grow with the file: 30 MB in each format but JSON within 100 MB', async () => {
  const rows = 75_000;
  const makers = {
    csv: ['VIN,Text,Make\n', `V#,"${'text '.repeat(75)}",Ford\n`, ''],
    ndjson: ['', `{"VIN":"V#","Text":"${'text '.repeat(73)}"}\n`, ''],
    xml: ['<x>', `<truck><VIN>V#</VIN><T>${'text '.repeat(72)}</T></truck>`, '</x>'],
  };
  for (const [name, [start, row = '', end]] of Object.entries(makers)) {
    const path = folder.path(name);
    const out = createWriteStream(path);
    out.write(start);
    for (let index = 0; index < rows; index += 500) {
      const piece = Array.from({ length: 500 }, (_, offset) => row.replace('#', String(index + offset))).join(
        '',
      );
      if (!out.write(piece)) await once(out, 'drain');
    }
    out.end(end);
    await once(out, 'close');
    global.gc?.();
    const before = process.memoryUsage().rss;
    let most = 0;
    let rowCount = 0;
    for await (const some of (await readFeedFile(path, null)).rows) {
      rowCount += some.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(rowCount, name).toBeGreaterThanOrEqual(rows);
    expect(most, name).toBeLessThan(100_000_000);
  }
});
