import { type Context, notFound, requireAccount } from '../services/context.ts';
import { safeCsv } from '../services/safe-csv.ts';
import type { FeedReject } from './feed.ts';
import { listRejects, readRun } from './queries/feeds.ts';

const COLUMNS = ['line', 'vin', 'code', 'field', 'received', 'fix'] as const;

/** All rejects of a run as CSV text, in pieces. */
export async function feedRejects(
  ctx: Context,
  feedId: string,
  runId: string,
): Promise<AsyncIterable<string>> {
  const lines = await safeCsv();
  const { db } = ctx.ports;
  const { id } = requireAccount(ctx);
  if ((await readRun(db, id, feedId, runId, 0)) === null) throw notFound('run');
  async function* text() {
    yield lines([COLUMNS]);
    for (let after = -1; ; ) {
      const packs = await listRejects(db, id, runId, after);
      const last = packs.at(-1);
      if (last === undefined) return;
      yield lines(packs.flatMap(({ rejects }) => rejects.map(toRow)));
      after = last.chunk;
    }
  }
  return text();
}

function toRow(reject: FeedReject): string[] {
  return COLUMNS.map((name) => {
    const value = reject[name];
    if (value === null || value === undefined) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}
