import type { FeedRunState } from '../../../ports/feeds/feed-runs.ts';
import { RunFailed, RunYielded, type Session } from './feed-session.ts';
import { unstage } from './fetch-feed-file.ts';
import { ingestFeedChunk } from './ingest-feed-chunk.ts';
import { prefetch } from './prefetch.ts';
import { type KnownChunk, prepareFeedChunks } from './prepare-feed-chunk.ts';

/** For opening the file, and for each chunk of it. */
const READ_TIMEOUT_MS = 120_000;
/** Rows of a chunk: the pipeline's batch. */
const CHUNK_ROWS = 500;

/**
 * Ingests the file chunk by chunk, from where the last committed chunk ended. While one is written, the next is read
 * and mapped. `state` moves on with every chunk that is committed.
 */
export async function ingestFeedFile(session: Session, state: FeedRunState): Promise<void> {
  const { ports, until } = session;
  const path = await session.path();
  if (session.sha256 === null) await restoreFile(session, path);
  const file = await ports.feedFiles.open(path, state.format, state.position, READ_TIMEOUT_MS);
  try {
    const rows = file.chunks(CHUNK_ROWS);
    const chunks = prepareFeedChunks(session, state, file.columns, rows);
    let wroteKnown = false;
    for await (const chunk of prefetch(chunks)) {
      if (!('decide' in chunk)) {
        // What was decided meanwhile does not know what a known chunk wrote after all.
        await ingestFeedChunk(session, state, wroteKnown ? { ...chunk, batch: null } : chunk);
        wroteKnown = false;
      } else if (!(await skipFeedChunk(session, state, chunk))) {
        await ingestFeedChunk(session, state, await chunk.decide());
        wroteKnown = true;
      }
      if (ports.clock.now() > until)
        throw new RunYielded('the next run resumes after the last committed chunk');
    }
  } finally {
    await file.close();
  }
}

async function skipFeedChunk(
  { ports, run }: Session,
  state: FeedRunState,
  { plan, position, digest }: KnownChunk,
): Promise<boolean> {
  const next = { ...state, plan, position, chunks: state.chunks + 1 };
  const part = { part: next.chunks, digest, state: next };
  const isSkipped = await ports.feedRuns.skipPart(run, part);
  if (isSkipped) Object.assign(state, next);
  return isSkipped;
}

/** From the object store, for a worker that did not fetch the file. */
async function restoreFile(session: Session, path: string): Promise<void> {
  if (await unstage(session, path)) return;
  throw new RunFailed(
    'file_lost',
    'The file was too large for one go, and there is no object store to keep it in between.',
    'Contact support with the id of the run.',
  );
}
