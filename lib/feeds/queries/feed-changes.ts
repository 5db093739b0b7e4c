import type { Page, Sql, Statement } from '../../db/sql.ts';
import type { RunChange } from '../feed.ts';
import type { FeedChangeKind } from '../schemas/feed-fields.ts';
import { MISSED } from './compare-snapshot.ts';

/** Which trucks a run of a feed changed, by the history of listings, and which a held one would delist. */
export async function listChanges(
  db: Sql,
  accountId: string,
  feedId: string,
  runId: string,
  kind: FeedChangeKind,
  { limit, after }: Page,
): Promise<(RunChange & { key: string })[] | null> {
  const [run] = await db.query<{ no: number }>(RUN_NO, [accountId, feedId, runId]);
  if (!run) return null;
  const [hash, version] = after?.split('.') ?? [];
  const place = [hash ?? null, version ?? null, limit];
  if (kind === 'would_delist') return db.query(WOULD_DELIST, [accountId, feedId, runId, hash ?? null, limit]);
  return db.query(CHANGES[kind], [accountId, run.no, ...place]);
}

const RUN_NO: Statement = {
  text: `select r.no::float8 as no from feed_runs r join feeds f on f.account_id = $1 and f.id = r.feed_id
    where r.account_id = $1 and r.feed_id = $2 and r.id = $3`,
};

const TRUCK = `l.vin, nullif(l.source_provider_id, '') as source_provider_id, l.doc->>'stock_number' as stock_number,
      (l.doc->>'year')::int as year, l.doc->>'make' as make, l.doc->>'model' as model,
      l.doc->>'currency' as currency`;

const changes = (condition: string): Statement => ({
  text: `
    select ${TRUCK}, e.old_price, e.new_price, encode(e.dedup_hash, 'hex') || '.' || e.version as key
    from listing_events e join listings l on l.account_id = $1 and l.dedup_hash = e.dedup_hash
    where e.account_id = $1 and e.run_no = $2::bigint and ${condition}
      and ($3::text is null or (e.dedup_hash, e.version) > (decode($3, 'hex'), $4::int))
    order by e.dedup_hash, e.version limit $5::int`,
});

/** A truck that was made and sold by the same record has two events of one version: only the first counts. */
const CHANGES = {
  created: changes(`e.kind = 'created'`),
  merged: changes(`e.kind not in ('created', 'vanished') and e.version > 1`),
  repriced: changes(
    `e.kind not in ('created', 'vanished') and e.old_price is distinct from e.new_price and e.version > 1`,
  ),
  delisted: changes(`e.kind = 'vanished'`),
} as const satisfies Partial<Record<FeedChangeKind, Statement>>;

const WOULD_DELIST: Statement = {
  role: 'job',
  text: `
    select ${TRUCK}, l.price as old_price, l.price as new_price, encode(l.dedup_hash, 'hex') || '.0' as key
    ${MISSED} and r.status = 'held' and ($4::text is null or l.dedup_hash > decode($4, 'hex'))
    order by l.dedup_hash limit $5::int`,
};
