import type { DealerMoves, MovedDealer } from '../../accounts/dealers/moves-port.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { rewriteListings } from './outdated-listings.ts';

export function postgresDealerMoves(sql: Sql): DealerMoves {
  return {
    async read(accountId, slug) {
      const [dealer] = await sql.query<MovedDealer>(MOVED, [accountId, slug]);
      return dealer ?? null;
    },
    listTrucks: ({ accountId, slug }, after, max) => sql.query(TRUCKS, [accountId, slug, after, max]),
    move: (accountId, listings) => rewriteListings(sql, accountId, listings, 'visibly'),
  };
}

const MOVED: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", slug, city, state, zip from dealers
    where account_id = $1 and slug = $2`,
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
