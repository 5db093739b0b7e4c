import { hash } from 'node:crypto';
import { RULES_VERSION } from '../../pipeline/rules-version.ts';
import type { FeedManifest, FeedRow, Part } from '../feed-file.ts';
import { type FeedPlan, readPlan } from '../mapping/feed-mapping.ts';
import { type ReadRow, readRows } from '../mapping/feed-records.ts';
import { readKnownParts } from '../queries/count-part.ts';
import { toPartKey } from '../raw-files.ts';
import { requireState, type Session } from './session.ts';
import { fileLost, locateParts } from './split-file.ts';

/** A part of the file, and how its rows are read. */
export interface ReadPart {
  part: Part;
  plan: FeedPlan;
  digest: string;
  /** As many rows at a time as are worked on in one go. Null: it was the same when it was applied last. */
  slices: ReadRow[][] | null;
}

/** The parts that are left, each mapped to records while the one before it is worked on. */
export async function* readParts(
  session: Session,
  { parts, columns }: FeedManifest,
): AsyncGenerator<ReadPart> {
  const { run, ports } = session;
  const { plan: keptPlan, part: next } = requireState(run);
  const known = await readKnownParts(ports.db, run);
  const left = parts.slice(next - 1);
  const [first] = left;
  if (!first) return;
  const plan = keptPlan ?? readPlan(run.feed, columns, (await readFile(session, first))[0] ?? []);
  const read = async (part: Part): Promise<ReadPart> => {
    // Of its rows and how they are read.
    const digest = hash(
      'sha256',
      JSON.stringify([RULES_VERSION, run.feed.source_provider_id, plan, part.sha256]),
    );
    const isKnown = known.get(part.no) === digest;
    return { part, plan, digest, slices: isKnown ? null : await readSlices(session, part, plan) };
  };
  let ahead = read(first);
  for (const following of [...left.slice(1), null]) {
    const current = await ahead;
    if (following) {
      ahead = read(following);
      // It surfaces when it is awaited, which it is not where the work stops before.
      ahead.catch(() => undefined);
    }
    yield current;
  }
}

export async function readSlices(session: Session, part: Part, plan: FeedPlan): Promise<ReadRow[][]> {
  const slices: ReadRow[][] = [];
  for (const rows of await readFile(session, part)) slices.push(await readRows(session.ports, rows, plan));
  return slices;
}

async function readFile(session: Session, part: Part): Promise<FeedRow[][]> {
  const { objects, raw } = await locateParts(session);
  const bytes = await objects.open(toPartKey(raw, part.no));
  if (bytes === null) throw fileLost();
  return session.ports.feedFiles.rows(bytes);
}
