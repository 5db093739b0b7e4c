import type { FeedRunState } from '../../ports/feeds/feed-runs.ts';
import { RunYielded, type Session } from './feed-session.ts';
import { ingestPart } from './ingest-part.ts';
import { prefetch } from './prefetch.ts';
import { type KnownPart, prepareParts } from './prepare-parts.ts';
import { splitFile } from './split-file.ts';

/**
 * Ingests the file part by part, from the one that comes next, and answers how many it has. While one is written, the next is
 * read and mapped. `state` moves on with every part that is committed.
 */
export async function ingestFeedFile(session: Session, state: FeedRunState): Promise<number> {
  const { columns, parts } = await splitFile(session, state);
  const left = parts.slice(state.part - 1);
  let wroteKnown = false;
  for await (const part of prefetch(prepareParts(session, state, columns, left))) {
    if (!('decide' in part)) {
      // What was decided meanwhile does not know what a known part wrote after all.
      const slices = wroteKnown ? part.slices.map((slice) => ({ ...slice, batch: null })) : part.slices;
      await ingestPart(session, state, { ...part, slices });
      wroteKnown = false;
    } else if (!(await skipPart(session, state, part))) {
      await ingestPart(session, state, await part.decide());
      wroteKnown = true;
    }
    if (session.ports.clock.now() > session.until)
      throw new RunYielded('the next worker goes on with the next part');
  }
  return parts.length;
}

async function skipPart(
  { ports, run }: Session,
  state: FeedRunState,
  { part, plan, digest }: KnownPart,
): Promise<boolean> {
  const next = { ...state, plan, part: part.no + 1 };
  const isSkipped = await ports.feedRuns.skipPart(run, { part: part.no, digest, state: next });
  if (isSkipped) Object.assign(state, next);
  return isSkipped;
}
