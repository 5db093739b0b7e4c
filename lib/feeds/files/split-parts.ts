import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow, Part } from '../feed-file.ts';
import type { FileLimits } from './limits.ts';

/** Numbered parts of a file, each of so many rows, one a line of JSON. */
export async function* splitParts(
  rows: AsyncIterable<FeedRow[]>,
  { maxRows, partRows, maxPart }: FileLimits,
): AsyncGenerator<Part & { bytes: Uint8Array }> {
  let no = 0;
  let total = 0;
  let lines: string[] = [];
  let length = 0;
  const take = () => {
    const text = lines.join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const part = { no: ++no, rows: lines.length, sha256, bytes: gzipSync(text, { level: 1 }) };
    lines = [];
    length = 0;
    return part;
  };
  for await (const some of rows)
    for (const row of some) {
      total += 1;
      if (total > maxRows) throw new FeedFault('too_many_rows', `The file has more than ${maxRows} rows.`);
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      length += line.length;
      if (lines.length === partRows || length > maxPart) yield take();
    }
  if (lines.length > 0) yield take();
}
