import { iso } from '../../../lib/adapters/postgres/listings/iso-time.ts';
import { IMAGES } from '../../../lib/adapters/postgres/listings/listing-json.ts';

/** What is answered of a listing `l` beside its document. */
const REST = `json_build_object(
    'images', ${IMAGES},
    'status', l.status,
    'price_history', (
      select coalesce(json_agg(json_build_object('price', e.new_price, 'at', ${iso('e.at')}) order by e.version), '[]')
      from listing_events e where e.account_id = $1 and e.dedup_hash = l.dedup_hash
        and (e.kind = 'created' or e.old_price is distinct from e.new_price)),
    'sources', (
      select json_agg(json_build_object('source_provider_id', nullif(o.source_provider_id, ''),
        'dedup_hash', encode(o.dedup_hash, 'hex'), 'status', o.status, 'observed_at', ${iso('o.observed_at')}))
      from listings o where o.account_id = $1 and o.vin = l.vin),
    'observed_at', ${iso('l.observed_at')}, 'first_seen_at', ${iso('l.first_seen_at')},
    'updated_at', ${iso('l.updated_at')}, 'sold_at', ${iso('l.sold_at')},
    'delisted_at', ${iso('l.delisted_at')})`;

/** The document, the quality and the rest by VIN, out of the service's own tables. */
export const JOINED = `
  select l.doc, l.quality, ${REST} as rest from listings l where l.account_id = $1 and l.vin = $2 limit 1`;
