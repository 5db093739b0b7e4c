import type { FeedRunState } from '../../ports/feeds.ts';
import { HandedOver, RunFailed, type Session } from './feed-session.ts';
import { unstage } from './fetch-feed-file.ts';
import { ingestFeedChunk } from './ingest-feed-chunk.ts';
import { ahead } from './prefetch.ts';
import { chunkPreparer } from './prepare-feed-chunk.ts';

/** Rows of a chunk: the pipeline's batch. */
export const CHUNK_ROWS = 500;

/**
 * Reads the file from where the last chunk ended and brings one chunk after the other in. While one is
 * being written, the next is read and decided. `state` moves on with every chunk that is written.
 */
export async function ingestFeedFile(session: Session, state: FeedRunState): Promise<void> {
  const { ports, until } = session;
  const path = await session.path();
  if (session.sha256 === null) await fileAgain(session, path);
  const file = await ports.feedFiles.open(path, state.format, state.position);
  const prepare = chunkPreparer(session, state, file.columns);
  async function* prepared() {
    for await (const chunk of file.chunks(CHUNK_ROWS)) yield await prepare(chunk);
  }
  for await (const chunk of ahead(prepared())) {
    await ingestFeedChunk(session, state, chunk);
    if (ports.clock.now() > until) throw new HandedOver('the rest is read next time');
  }
}

/** For a holder that did not fetch the file: from the object store. */
async function fileAgain(session: Session, path: string): Promise<void> {
  if (await unstage(session, path)) return;
  throw new RunFailed(
    'file_lost',
    'The file was too large for one go, and there is no object store to keep it in between.',
    'Contact support with the id of the run.',
  );
}
