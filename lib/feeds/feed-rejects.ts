import { type Context, requireAccount } from '../http/context.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { readFeedRun } from './feeds.ts';
import { listRejects } from './queries/runs.ts';

const COLUMNS = ['line', 'vin', 'code', 'field', 'received', 'fix', 'also', 'stock_number'] as const;

/** All rejects of a run as CSV text, in pieces. */
export async function feedRejects(ctx: Context, feedId: string, runId: string) {
  await readFeedRun(ctx, feedId, runId);
  const toLines = await safeCsv();
  const { id } = requireAccount(ctx);
  async function* text() {
    yield toLines([COLUMNS]);
    for (let after = -1; ; ) {
      const packs = await listRejects(ctx.ports.db, id, runId, after);
      const last = packs.at(-1);
      if (last === undefined) return;
      const rejects = packs.flatMap((pack) => pack.rejects);
      yield toLines(rejects.map((reject) => COLUMNS.map((name) => String(reject[name] ?? ''))));
      after = last.chunk;
    }
  }
  return text();
}
