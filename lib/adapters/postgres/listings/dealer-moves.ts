import type { DealerMoves } from '../../../ports/accounts/dealer-moves.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { rewriteListings } from './outdated-listings.ts';

export function postgresDealerMoves(sql: Sql): DealerMoves {
  return {
    pending: () => sql.query(PENDING),
    listTrucks: ({ accountId, slug }, after, max) => sql.query(TRUCKS, [accountId, slug, after, max]),
    move: (accountId, listings) => rewriteListings(sql, accountId, listings, 'visibly'),
    async markFollowed({ accountId, slug, movedAt }) {
      await sql.query(SETTLE, [accountId, slug, movedAt]);
    },
  };
}

/** Across all accounts. Within a minute a writer that read the old address has ended. */
const PENDING: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", slug, city, state, zip, moved_at::text as "movedAt" from dealers
    where moved_at is distinct from followed_at and moved_at < now() - interval '1 minute' order by moved_at limit 100`,
};

const TRUCKS: Statement = {
  role: 'job',
  text: `
    select l.account_id as "accountId", encode(l.dedup_hash, 'hex') as "dedupHash", l.version, l.doc, l.quality, l.images
    from (
      select dedup_hash from listing_search
      where account_id = $1 and dealer = $2 and dedup_hash > decode($3, 'hex') order by dedup_hash limit $4::int
    ) s join listings l on l.account_id = $1 and l.dedup_hash = s.dedup_hash
    order by s.dedup_hash`,
};

const SETTLE: Statement = {
  text: `update dealers set followed_at = moved_at where account_id = $1 and slug = $2 and moved_at = $3::timestamptz`,
};
