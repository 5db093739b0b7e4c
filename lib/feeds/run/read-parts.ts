import { hash } from 'node:crypto';
import { RULES_VERSION } from '../../pipeline/rules-version.ts';
import type { FeedManifest, Part, ReadRow } from '../feed-file.ts';
import type { FeedPlan } from '../mapping/feed-mapping.ts';
import { fillRows } from '../mapping/fill-rows.ts';
import { readKnownParts } from '../queries/count-part.ts';
import { toPartKey } from '../raw-files.ts';
import { requireState, type Session } from './session.ts';
import { fileLost, locateParts } from './split-file.ts';

/** A part of the file. */
export interface ReadPart {
  part: Part;
  /** Of its rows and how they are read. */
  digest: string;
  /** As many rows at a time as are worked on in one go. Null: it was the same when it was applied last. */
  slices: ReadRow[][] | null;
}

/** The parts that are left, each read while the one before it is worked on. */
export async function* readParts(session: Session, { parts, plan }: FeedManifest): AsyncGenerator<ReadPart> {
  const { run, ports } = session;
  const known = await readKnownParts(ports.db, run);
  const [first, ...others] = parts.slice(requireState(run).part - 1);
  if (!first) return;
  const read = async (part: Part): Promise<ReadPart> => {
    const reading = [RULES_VERSION, run.feed.source_provider_id, plan, part.sha256];
    const digest = hash('sha256', JSON.stringify(reading));
    const isKnown = known.get(part.no) === digest;
    return { part, digest, slices: isKnown ? null : await readSlices(session, part, plan) };
  };
  let next = read(first);
  for (const following of [...others, null]) {
    const current = await next;
    if (following) {
      next = read(following);
      // It surfaces when it is awaited, which it is not where the work stops before.
      next.catch(() => undefined);
    }
    yield current;
  }
}

export async function readSlices(session: Session, part: Part, plan: FeedPlan): Promise<ReadRow[][]> {
  const { objects, raw } = await locateParts(session);
  const bytes = await objects.open(toPartKey(raw, part.no));
  if (bytes === null) throw fileLost();
  const slices: ReadRow[][] = [];
  for (const rows of await session.ports.feedFiles.rows(bytes))
    slices.push(await fillRows(session.ports, rows, plan));
  return slices;
}
