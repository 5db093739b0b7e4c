import type { Ports } from '../../outside/ports.ts';
import { flatText } from '../../truck/text/text.ts';
import { readYear } from '../../truck/text/year.ts';
import { normaliseVin } from '../../truck/vin/vin.ts';
import type { ReadRow } from '../feed-file.ts';
import type { FeedPlan } from './feed-mapping.ts';
import { fillDefaults, lacksClass } from './feed-record.ts';

/** Fills what rows leave empty: by the feed's defaults, and a class by one look-up of all VINs that lack it. */
export async function fillRows(
  { decodeVins }: Pick<Ports, 'decodeVins'>,
  rows: readonly ReadRow[],
  plan: FeedPlan,
): Promise<ReadRow[]> {
  const lacking = rows.flatMap(({ record }) =>
    plan.classFromVin && record && lacksClass(record) ? [record] : [],
  );
  const decoded = await decodeVins(
    lacking.map(({ vin, year }) => ({ vin: normaliseVin(flatText(vin)), year: readYear(year) })),
  );
  const classes = new Map(lacking.map((record, at) => [record, decoded[at]?.truck_class ?? null]));
  return rows.map(({ record, ...row }) => ({
    ...row,
    record: record && fillDefaults(record, plan, classes.get(record)),
  }));
}
