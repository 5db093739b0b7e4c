import { audited } from '../accounts/audited.ts';
import { ApiError } from '../errors.ts';
import { type Context, invalid, requireAccount } from '../http/context.ts';
import { drain } from '../jobs/drain.ts';
import { newId } from '../outside/new-id.ts';
import { UPLOAD_FEED } from './feed.ts';
import { feedWork } from './feed-runs.ts';
import { requireDealer } from './feeds.ts';
import { listRuns } from './queries/runs.ts';
import { queueRun } from './queries/start-run.ts';
import {
  insertUpload,
  type KeptFile,
  readUpload,
  takeUpload,
  type UploadReading,
} from './queries/uploads.ts';

/** Files that people send: kept for a day, one of an account, and listed by a run of its upload feed. */

/**
 * A file, kept in the place of the one before, or the one that is kept. Throws INVALID_PAYLOAD while another is being listed,
 * INVALID_PARAMS when there is none.
 */
export async function keepFile(
  ctx: Context,
  { file, checked = '' }: { file?: File | undefined; checked?: string | undefined },
) {
  const { db } = ctx.ports;
  const { id: accountId } = requireAccount(ctx);
  if (file === undefined) {
    const upload = await readUpload(db, accountId, checked);
    if (upload === null) throw invalid('file', 'is not here (any more): choose it');
    return upload;
  }
  const content = Buffer.from(await file.arrayBuffer()).toString('base64');
  const upload = { id: newId(ctx.ports, 'upl'), name: file.name.slice(0, 200), content };
  if (await insertUpload(db, accountId, upload)) return upload;
  throw underWay();
}

/** Lists the trucks of a kept file after the answer; returns the id of the run that does. */
export async function startUpload(ctx: Context, { id, name }: KeptFile, reading: UploadReading) {
  const { id: accountId } = requireAccount(ctx);
  const run = newId(ctx.ports, 'run');
  await audited(ctx, { action: 'file.upload', target: name }, async (bound) => {
    const { db } = bound.ports;
    await requireDealer(bound, reading.dealer);
    const isTaken = await takeUpload(db, accountId, id, reading);
    if (!isTaken || (await queueRun(db, accountId, UPLOAD_FEED, run)) !== run) throw underWay();
  });
  ctx.after((ports) => drain(ports, feedWork, { accountId, key: UPLOAD_FEED }));
  return run;
}

/** Runs of the upload feed, the newest first. */
export const listUploads = (ctx: Context) =>
  listRuns(ctx.ports.db, requireAccount(ctx).id, UPLOAD_FEED, { limit: 10, after: null });

const underWay = () =>
  new ApiError('INVALID_PAYLOAD', 'A file of this account is being listed: wait until it is done.');
