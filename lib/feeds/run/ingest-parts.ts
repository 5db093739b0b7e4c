import { hash } from 'node:crypto';
import { RULES_VERSION } from '../../pipeline/rules-version.ts';
import type { Part, ReadRow } from '../feed-file.ts';
import type { FeedPlan } from '../mapping/feed-mapping.ts';
import { fillRows } from '../mapping/fill-rows.ts';
import { readKnownParts, skipPart } from '../queries/count-part.ts';
import { completeFile } from '../queries/reconcile.ts';
import { openKept, toPartKey } from '../raw-files.ts';
import type { RunWork, Step } from './claimed-run.ts';
import { ingestPart } from './ingest-part.ts';
import { splitFile } from './split-file.ts';

/**
 * Ingests the file part by part, from the one that comes next. While one is written, the next is read.
 * `run.state` moves on with every part that is committed.
 */
export const ingestParts: Step = async (work) => {
  const { ports, run, until } = work;
  const file = await splitFile(work);
  if (file === null) return { status: 'yielded' };
  const knownParts = await readKnownParts(ports.db, run);
  const pendingParts = file.parts.slice(run.state.part - 1).map(({ no, sha256 }) => {
    const digestInput = [RULES_VERSION, run.feed.source_provider_id, file.plan, sha256];
    return { no, digest: hash('sha256', JSON.stringify(digestInput)) };
  });
  const readPart = ({ no }: Pick<Part, 'no'>) => readSlices(work, no, file.plan);
  /** Null: the part was the same when it was applied last. */
  const prefetch = (part: (typeof pendingParts)[number] | undefined) => {
    const slices = part && knownParts.get(part.no) !== part.digest ? readPart(part) : null;
    // A fault surfaces when it is awaited, which it is not where the work stops before.
    slices?.catch(() => undefined);
    return slices;
  };
  let next = prefetch(pendingParts[0]);
  for (const [at, part] of pendingParts.entries()) {
    const slices = await next;
    next = prefetch(pendingParts[at + 1]);
    if (slices !== null || !(await skipPart(ports.db, run, part)))
      await ingestPart(work, part, slices ?? (await readPart(part)));
    if (ports.clock.now() > until) return { status: 'yielded' };
  }
  if (!run.delists) return { status: 'succeeded' };
  await completeFile(ports.db, run, file.parts.length);
  return 'reconcile';
};

async function readSlices({ ports, run }: RunWork, no: number, plan: FeedPlan) {
  const bytes = await openKept(ports.objects, toPartKey(run, no));
  const slices: ReadRow[][] = [];
  for (const rows of await ports.feedFiles.rows(bytes)) slices.push(await fillRows(ports, rows, plan));
  return slices;
}
