import { doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { now, time } from './columns.ts';

/** What the geocoder of GEOCODER_URL said of a place; null coordinates: it knows none. Nobody's data. */
export const geocodes = pgTable(
  'geocodes',
  {
    place: text().notNull(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    at: time().notNull().default(now),
  },
  (t) => [primaryKey({ name: 'geocodes_pkey', columns: [t.place] }), index('geocodes_at').on(t.at)],
);
