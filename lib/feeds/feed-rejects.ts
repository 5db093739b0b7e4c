import { type Context, requireAccount } from '../http/context.ts';
import { safeCsv } from '../http/safe-csv.ts';
import type { FeedReject } from './feed.ts';
import { readFeedRun } from './feeds.ts';
import { listRejects } from './queries/runs.ts';

const COLUMNS = ['line', 'vin', 'code', 'field', 'received', 'fix', 'stock_number'] as const;

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
      const rejects = packs.flatMap((pack) => pack.rejects.flatMap(splitByFault));
      yield toLines(rejects.map((reject) => COLUMNS.map((name) => toCell(reject[name]))));
      after = last.chunk;
    }
  }
  return text();
}

const toCell = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** A reject once for each thing that is wrong with its row. */
export const splitByFault = ({ more = [], ...reject }: FeedReject) =>
  [{}, ...more].map((fault) => ({ ...reject, ...fault }));
