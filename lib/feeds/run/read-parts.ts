import { hash } from 'node:crypto';
import { RULES_VERSION } from '../../pipeline/rules-version.ts';
import type { FeedRow, Part } from '../feed-file.ts';
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

/** Maps the rows of parts to records; the first rows decide how rows are mapped unless an earlier worker did. */
export async function* readParts(
  session: Session,
  columns: readonly string[] | null,
  parts: readonly Part[],
): AsyncGenerator<ReadPart> {
  const { run, ports } = session;
  const known = await readKnownParts(ports.db, run);
  const { sourceProviderId } = requireState(run);
  let { plan } = requireState(run);
  for (const part of parts) {
    plan ??= readPlan(run.feed, columns, (await readFile(session, part))[0] ?? []);
    const digest = toDigest(sourceProviderId, plan, part);
    const isKnown = known.get(part.no) === digest;
    yield { part, plan, digest, slices: isKnown ? null : await readSlices(session, part, plan) };
  }
}

/** Of its rows and how they are read. */
function toDigest(sourceProviderId: string | null, plan: FeedPlan, { sha256 }: Part): string {
  return hash('sha256', JSON.stringify([RULES_VERSION, sourceProviderId, plan, sha256]));
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
