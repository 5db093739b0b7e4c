import { SEARCHED_FIELDS, searchColumnFor } from '../../../lib/truck/record/record.ts';
import { queryRows } from '../service/database.ts';

/** Listings whose search row is missing, left behind, or says something else than the document. */
export function searchFaults(accountId: string): Promise<{ vin: string }[]> {
  const pairs = [
    ['s.status', 'l.status'],
    ['s.dealer', 'l.dealer'],
    ['s.state', `l.doc->'location'->>'state'`],
    ...SEARCHED_FIELDS.map((name) => [`s.${searchColumnFor(name)}::text`, `l.doc->>'${name}'`]),
  ];
  return queryRows(
    `select coalesce(l.vin, s.vin) as vin from (select * from listings where account_id = $1 and version > 0) l
      full join (select * from listing_search where account_id = $1) s on s.dedup_hash = l.dedup_hash
    where l.vin is null or s.vin is null or ${pairs.map(([row, doc]) => `${row} is distinct from ${doc}`).join(' or ')}`,
    [accountId],
  );
}
