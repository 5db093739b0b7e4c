import { iso } from '../../db/fragments.ts';

/** Members of a listing's answer that do not stand in its document: of a row `l` of `listings`, for account $1. */

/** The order of the listings of a VIN: the freshest available one first. */
export const FRESHEST = `status = 'available' desc, observed_at desc, dedup_hash`;

/**
 * The images as they stand now, in the listing's order. Each is looked up by itself: a planner that knows nothing of the
 * table yet would compare each with all of the account's.
 */
export const IMAGES = `(
    select coalesce(json_agg(json_build_object('url', named.url, 'status', coalesce(s.status, 'pending'),
      'reason', s.reason, 'width', i.width, 'height', i.height, 'placeholder', i.placeholder,
      'renditions', coalesce(i.renditions, '[]'), 'original', i.original) order by named.place), '[]')
    from json_array_elements_text(l.images) with ordinality as named(url, place)
      left join lateral (
        select * from image_sources q where q.account_id = $1 and q.url_hash = sha256(convert_to(named.url, 'UTF8')) limit 1
      ) s on true
      left join lateral (select * from stored_images q where q.account_id = $1 and q.hash = s.image_hash limit 1) i on true)`;

/** Names and values of json_build_object. */
export const TIMES = `'observed_at', ${iso('l.observed_at')}, 'first_seen_at', ${iso('l.first_seen_at')},
      'updated_at', ${iso('l.updated_at')}, 'sold_at', ${iso('l.sold_at')},
      'delisted_at', ${iso('l.delisted_at')}`;
