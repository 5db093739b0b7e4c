import type { Sql, Statement } from '../../db/sql.ts';
import type { Coordinates } from '../outbound.ts';

/** What the remote geocoder answered before; shared by all instances and accounts, since a place is nobody's. */
export interface Geocodes {
  /** Null where it is known that nothing is known; absent where nobody asked yet. */
  known(places: readonly string[]): Promise<ReadonlyMap<string, Coordinates | null>>;
  keep(found: ReadonlyMap<string, Coordinates | null>): Promise<void>;
}

export function postgresGeocodes(sql: Sql): Geocodes {
  return {
    async known(places) {
      const rows = await sql.query<Row>(KNOWN, [JSON.stringify(places)]);
      return new Map(
        rows.map(({ place, latitude, longitude }) => [
          place,
          latitude === null || longitude === null ? null : { latitude, longitude },
        ]),
      );
    },
    async keep(found) {
      const rows = [...found].map(([place, at]) => ({ place, lat: at?.latitude, lon: at?.longitude }));
      await sql.query(KEEP, [JSON.stringify(rows)]);
    },
  };
}

interface Row {
  place: string;
  latitude: number | null;
  longitude: number | null;
}

/** What is not known is asked again after 30 days, what is known after a year. */
const FRESH = `at > now() - case when latitude is null then interval '30 days' else interval '1 year' end`;

const KNOWN: Statement = {
  text: `select place, latitude, longitude from geocodes
    where place in (select place from json_array_elements_text($1::json) as asked(place)) and ${FRESH}`,
};

const KEEP: Statement = {
  text: `
    insert into geocodes (place, latitude, longitude)
    select place, lat, lon from json_to_recordset($1::json) as found(place text, lat float8, lon float8) order by place
    on conflict (place) do update set latitude = excluded.latitude, longitude = excluded.longitude, at = now()`,
};

/** Answers how many. */
export async function sweepGeocodes(sql: Sql): Promise<number> {
  const rows = await sql.query({ text: `delete from geocodes where not (${FRESH}) returning true as gone` });
  return rows.length;
}
