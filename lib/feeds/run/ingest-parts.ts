import { completeFile } from '../queries/compare-snapshot.ts';
import { skipPart } from '../queries/count-part.ts';
import { ingestPart } from './ingest-part.ts';
import { prefetch } from './prefetch.ts';
import { type KnownPart, prepareParts } from './prepare-parts.ts';
import { requireState, type Session, timed } from './session.ts';
import { splitFile } from './split-file.ts';

/**
 * Ingests the file part by part, from the one that comes next. While one is written, the next is read and mapped.
 * `run.state` moves on with every part that is committed.
 */
export async function ingestParts(session: Session): Promise<'reconcile' | 'yielded'> {
  const { ports, run, phases } = session;
  const parts = await timed(session, 'ingest', () => ingestLeft(session));
  if (parts === 'yielded') return parts;
  await session.assertLease(completeFile(ports.db, run, parts, phases));
  return 'reconcile';
}

/** Answers how many parts the file has. */
async function ingestLeft(session: Session): Promise<number | 'yielded'> {
  const file = await splitFile(session);
  if (file === 'yielded') return file;
  const left = file.parts.slice(requireState(session.run).part - 1);
  let wroteKnown = false;
  for await (const part of prefetch(prepareParts(session, file.columns, left))) {
    if (!('decide' in part)) {
      // What was decided meanwhile does not know what a known part wrote after all.
      const slices = wroteKnown ? part.slices.map((slice) => ({ ...slice, batch: null })) : part.slices;
      await ingestPart(session, { ...part, slices });
      wroteKnown = false;
    } else if (!(await skipKnown(session, part))) {
      await ingestPart(session, await part.decide());
      wroteKnown = true;
    }
    if (session.ports.clock.now() > session.until) return 'yielded';
  }
  return file.parts.length;
}

async function skipKnown({ ports, run }: Session, { part, plan, digest }: KnownPart): Promise<boolean> {
  const state = { ...requireState(run), plan, part: part.no + 1 };
  const isSkipped = await skipPart(ports.db, run, { part: part.no, digest, state });
  if (isSkipped) run.state = state;
  return isSkipped;
}
