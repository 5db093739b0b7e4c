import type { Sql, Statement } from '../../db/sql.ts';
import type { Coordinates } from '../outbound.ts';

/** Stored answers of the remote geocoder, shared by all instances and accounts. */

/** Null: the geocoder does not know the place; absent: it was not asked yet. */
export async function readGeocodes(
  db: Sql,
  places: readonly string[],
): Promise<ReadonlyMap<string, Coordinates | null>> {
  const rows = await db.query<{ place: string; at: Coordinates | null }>(KNOWN, [JSON.stringify(places)]);
  return new Map(rows.map(({ place, at }) => [place, at]));
}

export async function saveGeocodes(db: Sql, answers: ReadonlyMap<string, Coordinates | null>): Promise<void> {
  const rows = [...answers].map(([place, at]) => ({ place, ...at }));
  await db.query(KEEP, [JSON.stringify(rows)]);
}

/** Deletes answers that are too old; returns their number. */
export const sweepGeocodes = async (db: Sql): Promise<number> => (await db.query(SWEEP)).length;

/** An unknown place is asked again after 30 days, a known one after a year. */
const FRESH = `at > now() - case when latitude is null then interval '30 days' else interval '1 year' end`;

const KNOWN: Statement = {
  text: `select place, case when latitude is not null then
      json_build_object('latitude', latitude, 'longitude', longitude) end as at
    from geocodes where place in (select place from json_array_elements_text($1::json) as asked(place)) and ${FRESH}`,
};

const KEEP: Statement = {
  text: `
    insert into geocodes (place, latitude, longitude)
    select place, latitude, longitude
    from json_to_recordset($1::json) as asked(place text, latitude float8, longitude float8) order by place
    on conflict (place) do update set latitude = excluded.latitude, longitude = excluded.longitude, at = now()`,
};

const SWEEP: Statement = { text: `delete from geocodes where not (${FRESH}) returning true as gone` };
