import type { Page, Sql, Statement } from '../../db/sql.ts';
import type { RunChange } from '../feed.ts';
import type { FeedChangeKind } from '../schemas/feed-fields.ts';
import { MISSED } from './reconcile.ts';

/** Which trucks a run of a feed changed, by the history of listings, and which a held one would delist. */
export function listChanges(
  db: Sql,
  accountId: string,
  feedId: string,
  runId: string,
  kind: FeedChangeKind,
  { limit, after }: Page,
) {
  const [hash = null, version = null] = after?.split('.') ?? [];
  return db.query<RunChange & { key: string }>(CHANGES[kind], [
    accountId,
    feedId,
    runId,
    hash,
    version,
    limit,
  ]);
}

const TRUCK = `l.vin, nullif(l.source_provider_id, '') as source_provider_id, l.doc->>'stock_number' as stock_number,
      (l.doc->>'year')::int as year, l.doc->>'make' as make, l.doc->>'model' as model,
      l.doc->>'currency' as currency`;

/** Of a truck that was made and sold by the same record, which has two events of one version, only the first counts. */
const changes = (condition: string) => ({
  text: `
    select ${TRUCK}, e.old_price, e.new_price, encode(e.dedup_hash, 'hex') || '.' || e.version as key
    from listing_events e join listings l on l.account_id = $1 and l.dedup_hash = e.dedup_hash
    where e.account_id = $1 and ${condition} and e.run_no = (
        select no from feed_runs where account_id = $1 and feed_id = $2 and id = $3)
      and ($4::text is null or (e.dedup_hash, e.version) > (decode($4, 'hex'), $5::int))
    order by e.dedup_hash, e.version limit $6::int`,
});

const CHANGES = {
  created: changes(`e.kind = 'created'`),
  merged: changes(`e.kind not in ('created', 'vanished') and e.version > 1`),
  repriced: changes(
    `e.kind not in ('created', 'vanished') and e.old_price is distinct from e.new_price and e.version > 1`,
  ),
  delisted: changes(`e.kind = 'vanished'`),
  would_delist: {
    timeout: 'job',
    text: `
    select ${TRUCK}, l.price as old_price, l.price as new_price, encode(l.dedup_hash, 'hex') || '.0' as key
    ${MISSED} and r.status = 'held' and ($4::text is null or (l.dedup_hash, 0) > (decode($4, 'hex'), $5::int))
    order by l.dedup_hash limit $6::int`,
  },
} as const satisfies Record<FeedChangeKind, Statement>;
