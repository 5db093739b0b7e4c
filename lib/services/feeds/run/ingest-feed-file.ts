import type { FeedRunState } from '../../../ports/feeds/feed-runs.ts';
import { RunYielded, type Session } from './feed-session.ts';
import { ingestPart } from './ingest-part.ts';
import { prefetch } from './prefetch.ts';
import { prepareParts } from './prepare-parts.ts';
import { splitFile } from './split-file.ts';

/**
 * Ingests the file part by part, from the one that comes next. While one is written, the next is read and mapped. `state`
 * moves on with every part that is committed.
 */
export async function ingestFeedFile(session: Session, state: FeedRunState): Promise<void> {
  const { columns, parts } = await splitFile(session, state);
  const left = parts.slice(state.part - 1);
  for await (const part of prefetch(prepareParts(session, state, columns, left))) {
    await ingestPart(session, state, part);
    if (session.ports.clock.now() > session.until)
      throw new RunYielded('the next worker goes on with the next part');
  }
}
