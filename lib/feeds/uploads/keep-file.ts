import { ApiError } from '../../errors.ts';
import { type Context, invalid, requireAccount } from '../../services/context.ts';
import { newId } from '../../services/new-id.ts';
import { insertUpload, readUploadFile, readUploadState } from '../queries/uploads.ts';
import type { KeptFile } from './kept-file.ts';
import type { Uploaded } from './list-rows.ts';

/** A file that was looked at is kept for a day, so that nobody chooses it twice. */

/** Keeps a file in the place of the one before; throws INVALID_PAYLOAD while that is being listed. */
export async function keepFile(ctx: Context, file: Omit<KeptFile, 'id'>): Promise<KeptFile> {
  const kept = { ...file, id: newId(ctx.ports, 'upl'), name: file.name.slice(0, 200) };
  if (await insertUpload(ctx.ports.db, requireAccount(ctx).id, kept)) return kept;
  throw new ApiError('INVALID_PAYLOAD', 'A file of this account is being listed: wait until it is done.');
}

/** Throws INVALID_PAYLOAD for a file that is not kept any more. */
export async function readKeptFile(ctx: Context, id: string): Promise<KeptFile> {
  const file = await readUploadFile(ctx.ports.db, requireAccount(ctx).id, id);
  if (file === null) throw invalid('file', 'is not kept any more: choose it again');
  return file;
}

/** What became of a file so far; null when it is not kept any more, or was not listed. */
export async function readUploaded(ctx: Context, id: string): Promise<(Uploaded & { name: string }) | null> {
  const state = await readUploadState(ctx.ports.db, requireAccount(ctx).id, id);
  if (state === null || state.result === null) return null;
  // The store keeps what `startUpload` wrote.
  const uploaded = state.result as Uploaded;
  return { ...uploaded, name: state.name };
}
