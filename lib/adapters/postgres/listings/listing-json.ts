import { iso } from './iso-time.ts';

/** Members of a listing's answer that do not stand in its document: of a row `l` of `listings`, for account $1. */

/** The images as they stand now, in the listing's order. */
export const IMAGES = `(
    select coalesce(json_agg(json_build_object('url', named.url, 'status', coalesce(s.status, 'pending'),
      'reason', s.reason, 'width', i.width, 'height', i.height, 'placeholder', i.placeholder,
      'renditions', coalesce(i.renditions, '[]'), 'original', i.original) order by named.place), '[]')
    from json_array_elements_text(l.images) with ordinality as named(url, place)
      left join image_sources s on s.account_id = $1 and s.url_hash = sha256(convert_to(named.url, 'UTF8'))
      left join stored_images i on i.account_id = $1 and i.hash = s.image_hash)`;

/** Names and values of json_build_object. */
export const TIMES = `'observed_at', ${iso('l.observed_at')}, 'first_seen_at', ${iso('l.first_seen_at')},
      'updated_at', ${iso('l.updated_at')}, 'sold_at', ${iso('l.sold_at')},
      'delisted_at', ${iso('l.delisted_at')}`;
