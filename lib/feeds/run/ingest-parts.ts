import { completeFile } from '../queries/compare-snapshot.ts';
import { skipPart } from '../queries/count-part.ts';
import { endRun } from '../queries/end-run.ts';
import { ingestPart } from './ingest-part.ts';
import { type ReadPart, readParts, readSlices } from './read-parts.ts';
import { requireState, type Session, timed } from './session.ts';
import { splitFile } from './split-file.ts';

/**
 * Ingests the file part by part, from the one that comes next. While one is written, the next is read.
 * `run.state` moves on with every part that is committed.
 */
export async function ingestParts(session: Session): Promise<'reconcile' | 'succeeded' | 'yielded'> {
  const { ports, run, phases } = session;
  const parts = await timed(session, 'ingest', () => ingestLeft(session));
  if (parts === 'yielded') return parts;
  if (run.isUpload) {
    await session.assertLease(endRun(ports.db, run, 'succeeded', { phases }));
    return 'succeeded';
  }
  await session.assertLease(completeFile(ports.db, run, parts, phases));
  return 'reconcile';
}

/** Returns how many parts the file has. */
async function ingestLeft(session: Session): Promise<number | 'yielded'> {
  const file = await splitFile(session);
  if (file === 'yielded') return file;
  for await (const read of readParts(session, file)) {
    if (read.slices !== null || !(await skipKnown(session, read)))
      await ingestPart(session, read, read.slices ?? (await readSlices(session, read.part, file.plan)));
    if (session.ports.clock.now() > session.until) return 'yielded';
  }
  return file.parts.length;
}

async function skipKnown({ ports, run }: Session, { part, digest }: ReadPart): Promise<boolean> {
  const state = { ...requireState(run), part: part.no + 1 };
  const isSkipped = await skipPart(ports.db, run, { part: part.no, digest, state });
  if (isSkipped) run.state = state;
  return isSkipped;
}
