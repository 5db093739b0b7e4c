import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { readRecord } from '../../lib/truck/listing/read-record.ts';
import { foldKey } from '../../lib/truck/text/text.ts';
import { canonicalBody } from '../../lib/truck/vocabulary/body.ts';
import { makePlan } from '../feeds/mapping/plan.ts';
import { readFields } from '../truck/read-fields.ts';
import { type FreshProbe, readProbes, splitColumns } from './fresh-probes.ts';

/** What the service reads of each fresh probe. */

export interface JudgedProbe extends FreshProbe {
  rule: string;
  /** What should be read; null: nothing. */
  truth: string | null;
  value: string | null;
  isRight: boolean;
}

const toTruth = (expected: string): string | null =>
  expected === 'none' || expected === '' ? null : expected;

function judge(
  rule: string,
  probe: FreshProbe,
  value: string | null,
  truth = toTruth(probe.expected),
): JudgedProbe {
  return { ...probe, rule, truth, value, isRight: value === truth };
}

const judgeBodies = () =>
  readProbes('bodies').map((probe) => judge('body', probe, canonicalBody(probe.text)));

/** Makes letter by letter, models without regard to case and punctuation. */
const judgeNames = () =>
  readProbes('makes').flatMap((probe) => {
    const [make = '', model = ''] = splitColumns(probe.text);
    const [trueMake = '', trueModel = ''] = splitColumns(probe.expected);
    const fields = readFields({ make, ...(model === '' ? {} : { model }) });
    const key = (text: string | null) => (text === null || text === '' ? null : foldKey(text));
    return [
      judge('make', probe, fields.make, trueMake),
      judge('model', probe, key(fields.model), key(trueModel)),
    ];
  });

const judgeAmounts = () =>
  readProbes('amounts').map((probe) => {
    const { group: name } = probe;
    const { fields } = readRecord({ [name]: probe.text }).patch;
    const { [name as 'price']: amount = null, currency = null, mileage_unit: unit = null } = fields;
    const parts = [name, amount, currency === 'USD' ? null : currency, unit === 'mi' ? null : unit];
    const value = amount === null ? null : parts.filter((part) => part !== null).join(' ');
    return judge(name, probe, value);
  });

const NEAR_DEGREES = 0.35;

async function judgePlaces(): Promise<JudgedProbe[]> {
  const probes = readProbes('places');
  const places = probes.map(({ text }) => {
    const place = readRecord({ location: text }).patch.place;
    return { city: null, state: null, zip: null, ...place };
  });
  const located = await bundledGeocoder().locate(places);
  return probes.map((probe, index) => {
    const location = located[index] ?? null;
    const [latitude = 0, longitude = 0] = probe.expected.split(',').map(Number);
    const isNear =
      location !== null &&
      Math.abs(location.latitude - latitude) < NEAR_DEGREES &&
      Math.abs(location.longitude - longitude) < NEAR_DEGREES;
    const value =
      location === null ? null : `${location.latitude.toFixed(1)},${location.longitude.toFixed(1)}`;
    return { ...judge('place', probe, value), isRight: isNear };
  });
}

/** Columns are read by their export, with one row of it. */
function judgeColumns(): JudgedProbe[] {
  const groups = Map.groupBy(readProbes('columns'), ({ group }) => group);
  return [...groups.values()].flatMap((probes) => {
    const cells = probes.map(({ text }) => text.split(' | '));
    const row = Object.fromEntries(cells.map(([column = '', value = '']) => [column, value]));
    const { columns } = makePlan(Object.keys(row), [row]);
    return probes.map((probe, index) => {
      const planned = columns.find(({ column }) => column === cells[index]?.[0]);
      const unread = planned?.kept ? null : 'private';
      const truth = toTruth(probe.expected);
      const value = planned?.field ?? (truth === null ? null : unread);
      return judge('feed column', probe, value, truth);
    });
  });
}

export async function judgeFresh(): Promise<JudgedProbe[]> {
  return [...judgeBodies(), ...judgeNames(), ...judgeAmounts(), ...(await judgePlaces()), ...judgeColumns()];
}
