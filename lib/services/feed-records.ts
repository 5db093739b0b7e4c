import type { FeedPlan } from '../domain/feed-mapping.ts';
import type { RawRecord } from '../pipeline/stage.ts';
import type { FeedRow, Ports } from '../ports.ts';

export async function feedRecords(
  _ports: Pick<Ports, 'vinDecoder'>,
  rows: readonly FeedRow[],
  plan: FeedPlan,
): Promise<RawRecord[]> {
  return rows.map(({ fields }) => fields && { ...plan.defaults, ...fields });
}
