import { hash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow, ReadRow } from '../feed-file.ts';
import { type FeedRecipe, readPlan } from '../mapping/feed-mapping.ts';
import { recordReader } from '../mapping/feed-record.ts';
import { listExamples } from '../mapping/list-examples.ts';
import { answer } from '../threads/answer.ts';
import { readFeedFile } from './read-file.ts';

/**
 * The thread that reads a dealer's file and makes records of its rows: it says what the file is and how its rows are read, then
 * a part each time it is asked, and null at its end.
 */

interface FeedWorkerData {
  path: string;
  feed: FeedRecipe;
  /** Of a part, which ends early when its lines are longer than `MAX_PART`. */
  partRows: number;
}

const MAX_ROWS = 5_000_000;
const MAX_PART = 8 * 1024 * 1024;
/** Rows that decide how all of them are read. */
const FIRST_ROWS = 50;

const { path, feed, partRows } = workerData as FeedWorkerData;
const answers = readAnswers();
answer(async () => (await answers.next()).value ?? null);

async function* readAnswers() {
  const { rows, columns = null, ...head } = await readFeedFile(path, feed.format);
  const chunks = rows[Symbol.asyncIterator]();
  const first: FeedRow[] = [];
  while (first.length < FIRST_ROWS) {
    const { done, value } = await chunks.next();
    if (done) break;
    for (const row of value) first.push(row);
  }
  const plan = readPlan(feed, columns, first);
  yield { ...head, plan, examples: listExamples(plan, first) };
  const readRecord = recordReader(plan);
  async function* readRows(): AsyncGenerator<ReadRow> {
    for (let some: FeedRow[] | undefined = first; some; some = (await chunks.next()).value)
      for (const { line, fields, fault } of some) yield { line, record: fields && readRecord(fields), fault };
  }
  yield* splitParts(readRows());
}

/** Numbered parts of a file, each of so many rows, one a line of JSON. */
async function* splitParts(rows: AsyncIterable<ReadRow>) {
  let no = 0;
  let total = 0;
  let lines: string[] = [];
  let length = 0;
  const take = () => {
    const text = lines.join('');
    const part = {
      no: ++no,
      rows: lines.length,
      sha256: hash('sha256', text),
      bytes: gzipSync(text, { level: 1 }),
    };
    lines = [];
    length = 0;
    return part;
  };
  for await (const row of rows) {
    total += 1;
    if (total > MAX_ROWS) throw new FeedFault('too_many_rows', `The file has more than ${MAX_ROWS} rows.`);
    const line = `${JSON.stringify(row)}\n`;
    lines.push(line);
    length += line.length;
    if (lines.length === partRows || length > MAX_PART) yield take();
  }
  if (lines.length > 0) yield take();
}
