import { toList } from '../../lib/truck/text/table.ts';
import { readProbes, splitColumns, withCheckDigit } from './fresh-probes.ts';
import type { ProbedService } from './service.ts';

/** A lot of a few hundred trucks as a dealer sends them, and what is true of each. */

const PLACES = toList(
  'Dallas/TX, Laredo/TX, Fresno/CA, Ontario/CA, Kansas City/MO, Atlanta/GA, Columbus/OH, Mobile/AL, Portland/OR, Mississauga/ON',
);
const COLORS = ['White', 'Red', 'Blue', 'Black', 'White', 'Silver'] as const;
const COPIES = 7;
const NEWEST = 2026;

function makeStock() {
  const kinds = readProbes('lot').map(({ text }) => splitColumns(text));
  return kinds.flatMap((kind, index) =>
    Array.from({ length: COPIES }, (_, copy) => makeTruck(kind, index * COPIES + copy, copy)),
  );
}

function makeTruck(kind: readonly string[], serial: number, copy: number) {
  const [make = '', model = '', bodyText = '', body = '', weightClass = '', fuel = '', gear = ''] = kind;
  const [transmission = '', driveText = '', drive = '', cab = '', engine = '', hp = ''] = kind.slice(7);
  const [newPrice = 0, milesAYear = 0] = kind.slice(13).map(Number);
  const year = NEWEST - ((copy * 2 + (serial % 3)) % 13);
  const age = NEWEST - year;
  const [city, state] = (PLACES[serial % PLACES.length] ?? '').split('/');
  const fields = {
    vin: withCheckDigit(`1TR7H000_00A${String(serial).padStart(5, '0')}`),
    year,
    make,
    model,
    class: weightClass,
    condition: age === 0 ? 'New' : 'Used',
    price: Math.round((newPrice * 0.86 ** age) / 100) * 100,
    mileage: age === 0 ? 120 : age * milesAYear + serial * 13,
    mileage_unit: 'mi',
    currency: 'USD',
    body_type: bodyText,
    fuel_type: fuel.replace('_', ' '),
    transmission: gear,
    drivetrain: driveText,
    cab,
    engine,
    horsepower: hp,
    color: COLORS[serial % COLORS.length],
    city,
    state,
  };
  const record = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  const truck = {
    ...fields,
    body,
    fuel,
    transmission,
    drive,
    hp,
    condition: fields.condition.toLowerCase(),
    text: Object.values(record).join(' ').toLowerCase(),
  };
  return { record, truck };
}

const RANGES = new Set(['year', 'price', 'mileage', 'hp']);
const CONTAINED = new Set(['model', 'engine']);

type StockTruck = ReturnType<typeof makeTruck>['truck'];

/** Whether a truck is what the structured truth of a query says: `key:value,value key:from..to`. */
function matches(truck: StockTruck, truth: string): boolean {
  const conditions = [...truth.matchAll(/(\w+):(.*?)(?=\s\w+:|$)/g)];
  return conditions.every(([, name = '', values = '']) => {
    if (name === 'words') return truck.text.includes(values);
    const value = String(truck[name as keyof StockTruck]);
    if (RANGES.has(name)) {
      const [from = '', to = ''] = values.split('..');
      return (from === '' || Number(value) >= Number(from)) && (to === '' || Number(value) <= Number(to));
    }
    if (values.includes('|'))
      return values === 'Ontario|state:ON' && (truck.city === 'Ontario' || truck.state === 'ON');
    return values.split(',').some((each) => (CONTAINED.has(name) ? value.includes(each) : value === each));
  });
}

export type JudgedQuery = Awaited<ReturnType<typeof judgeQueries>>[number];

/** Sends every query of `fresh/queries.txt` to the lot. */
export async function judgeQueries(service: ProbedService) {
  const stock = makeStock();
  await service.call('POST', '/v1/inventory?return=errors', { records: stock.map(({ record }) => record) });
  const judgedQueries = [];
  for (const { text, expected } of readProbes('queries')) {
    const expectedVins = stock.filter(({ truck }) => matches(truck, expected)).map(({ truck }) => truck.vin);
    const foundVins = await search(service, text);
    const correct = foundVins.filter((vin) => expectedVins.includes(vin)).length;
    judgedQueries.push({
      text,
      truth: expected,
      foundCount: foundVins.length,
      expectedCount: expectedVins.length,
      precision: foundVins.length === 0 ? 0 : correct / foundVins.length,
      recall: expectedVins.length === 0 ? 1 : correct / expectedVins.length,
    });
  }
  return judgedQueries;
}

async function search(service: ProbedService, q: string, cursor?: string): Promise<string[]> {
  const parameters = new URLSearchParams({ q, limit: '100', ...(cursor && { cursor }) });
  const { listings, next_cursor } = await service.call('GET', `/v1/inventory?${parameters}`);
  const foundVins: string[] = listings.map(({ vin }: { vin: string }) => vin);
  if (next_cursor !== null) foundVins.push(...(await search(service, q, next_cursor)));
  return foundVins;
}
