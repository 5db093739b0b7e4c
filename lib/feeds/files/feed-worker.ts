import { createHash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import { answer } from '../threads/answer.ts';
import { readFeedFile } from './read-file.ts';

/** The thread that reads a dealer's file: it says what the file is, then a part each time it is asked, and null at its end. */

interface FeedWorkerData {
  path: string;
  format: FeedFormat | null;
  /** Of a part, which ends early when its lines are longer than `MAX_PART`. */
  partRows: number;
}

const MAX_ROWS = 5_000_000;
const MAX_PART = 8 * 1024 * 1024;

const { path, format, partRows } = workerData as FeedWorkerData;
const answers = readAnswers();
answer(async () => (await answers.next()).value ?? null);

async function* readAnswers() {
  const { rows, ...head } = await readFeedFile(path, format);
  yield head;
  yield* splitParts(rows);
}

/** Numbered parts of a file, each of so many rows, one a line of JSON. */
async function* splitParts(rows: AsyncIterable<FeedRow[]>) {
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
      if (total > MAX_ROWS) throw new FeedFault('too_many_rows', `The file has more than ${MAX_ROWS} rows.`);
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      length += line.length;
      if (lines.length === partRows || length > MAX_PART) yield take();
    }
  if (lines.length > 0) yield take();
}
