import type { Ports } from '../../ports.ts';
import { flatText } from '../../truck/text/text.ts';
import { readYear } from '../../truck/text/year.ts';
import { normaliseVin } from '../../truck/vin/vin.ts';
import type { ReadRow } from '../feed-file.ts';
import type { FeedPlan } from './feed-mapping.ts';
import type { FeedRecord } from './feed-record.ts';

/** Fills what rows leave empty: by the feed's defaults, and a class by one look-up of all VINs that lack it. */
export async function fillRows(
  { decodeVins }: Pick<Ports, 'decodeVins'>,
  rows: readonly ReadRow[],
  plan: FeedPlan,
) {
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

/** True when nothing tells the weight class: neither itself nor a weight. */
const lacksClass = (record: FeedRecord) => record.class === undefined && record.gvwr === undefined;

/** Fills what the row left empty; a class only where nothing tells it, and it says where it is from. */
export function fillDefaults(record: FeedRecord, { defaults }: FeedPlan, vinClass: unknown = null) {
  const { class: defaultClass = null, ...others } = defaults;
  const filled = { ...others, ...record };
  const weightClass = vinClass ?? defaultClass;
  if (weightClass === null || !lacksClass(filled)) return filled;
  const source = vinClass === null ? 'default' : 'vin';
  return {
    ...filled,
    class: weightClass,
    attributes: Object.assign({}, record.attributes, { class_source: source }),
  };
}
