import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { readRecord } from '../../lib/truck/listing/read-record.ts';
import { foldKey } from '../../lib/truck/text/text.ts';
import { canonicalBody } from '../../lib/truck/vocabulary/body.ts';
import { makePlan } from '../feeds/mapping/plan.ts';
import { readFields } from '../truck/read-fields.ts';
import { type FreshProbe, readProbes, splitColumns } from './fresh-probes.ts';

/** What the service reads of each fresh probe. */

export interface Judged extends FreshProbe {
  rule: string;
  /** What should be read; null: nothing. */
  truth: string | null;
  read: string | null;
  isRight: boolean;
}

const toTruth = (expected: string): string | null =>
  expected === 'none' || expected === '' ? null : expected;

function judge(
  rule: string,
  probe: FreshProbe,
  read: string | null,
  truth = toTruth(probe.expected),
): Judged {
  return { ...probe, rule, truth, read, isRight: read === truth };
}

const judgeBodies = () =>
  readProbes('bodies').map((probe) => judge('body', probe, canonicalBody(probe.sent)));

/** Makes letter by letter, models without regard to case and punctuation. */
const judgeNames = () =>
  readProbes('makes').flatMap((probe) => {
    const [make = '', model = ''] = splitColumns(probe.sent);
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
    const { fields } = readRecord({ [name]: probe.sent }).patch;
    const { [name as 'price']: amount = null, currency = null, mileage_unit: unit = null } = fields;
    const said = [name, amount, currency === 'USD' ? null : currency, unit === 'mi' ? null : unit];
    const read = amount === null ? null : said.filter((part) => part !== null).join(' ');
    return judge(name, probe, read);
  });

const NEAR_DEGREES = 0.35;

async function judgePlaces(): Promise<Judged[]> {
  const probes = readProbes('places');
  const places = probes.map(({ sent }) => {
    const place = readRecord({ location: sent }).patch.place;
    return { city: null, state: null, zip: null, ...place };
  });
  const located = await bundledGeocoder().locate(places);
  return probes.map((probe, index) => {
    const found = located[index] ?? null;
    const [latitude = 0, longitude = 0] = probe.expected.split(',').map(Number);
    const isNear =
      found !== null &&
      Math.abs(found.latitude - latitude) < NEAR_DEGREES &&
      Math.abs(found.longitude - longitude) < NEAR_DEGREES;
    const read = found === null ? null : `${found.latitude.toFixed(1)},${found.longitude.toFixed(1)}`;
    return { ...judge('place', probe, read), isRight: isNear };
  });
}

/** Columns are read by their export, with one row of it. */
function judgeColumns(): Judged[] {
  const groups = Map.groupBy(readProbes('columns'), ({ group }) => group);
  return [...groups.values()].flatMap((probes) => {
    const cells = probes.map(({ sent }) => sent.split(' | '));
    const row = Object.fromEntries(cells.map(([column = '', value = '']) => [column, value]));
    const { columns } = makePlan(Object.keys(row), [row]);
    return probes.map((probe, index) => {
      const planned = columns.find(({ column }) => column === cells[index]?.[0]);
      const unread = planned?.kept ? null : 'private';
      const truth = toTruth(probe.expected);
      const read = planned?.field ?? (truth === null ? null : unread);
      return judge('feed column', probe, read, truth);
    });
  });
}

export async function judgeFresh(): Promise<Judged[]> {
  return [...judgeBodies(), ...judgeNames(), ...judgeAmounts(), ...(await judgePlaces()), ...judgeColumns()];
}
