import type { VinDecoded, VinVehicleType } from '../../truck/listing/truck.ts';
import { toTable } from '../../truck/text/table.ts';
import { computeCheckDigit, hasVinCharacters } from '../../truck/vin/vin.ts';
import { canonicalBody } from '../../truck/vocabulary/body.ts';
import { canonicalMake } from '../../truck/vocabulary/make.ts';
import { spellModel } from '../../truck/vocabulary/model.ts';
import { tradeName } from '../../truck/vocabulary/series.ts';
import { WEIGHT_CLASSES } from '../../truck/vocabulary/weight-class.ts';

import { readYear } from './model-year.ts';
import type { Elements, Tables } from './tables.ts';

const VEHICLE_TYPES: Readonly<Record<string, VinVehicleType>> = toTable({
  Truck: 'truck',
  Bus: 'bus',
  'Incomplete Vehicle': 'incomplete_vehicle',
  'Passenger Car': 'passenger_car',
  'Multipurpose Passenger Vehicle (MPV)': 'multipurpose_passenger_vehicle',
});

/** All that the tables know of a VIN; null for one that is not well formed or whose maker it does not know. */
export function decodeVin(
  tables: Tables,
  vin: string,
  years: { recordYear: number | null; currentYear: number },
): VinDecoded | null {
  if (!hasVinCharacters(vin)) return null;
  const maker = tables.findMaker(vin);
  if (maker === null) return null;
  const { year, possible } = readYear(tables, maker, vin, years);
  // Some makers outside North America code no year; then the record's tells which schemas hold.
  const readAs = year ?? (possible.length === 0 ? years.recordYear : null);
  const elements: Elements = readAs === null ? {} : tables.read(maker, vin, readAs);
  const [makeOfModel = '', modelName = ''] = (elements.model ?? '').split('\t');
  const make = makeNamed(makeOfModel || maker.make, vin, readAs);
  const { fuel_type, ...engine } = decodeEngine(elements);
  const code = spellModel(modelName, make ?? '');
  const model = tradeName(make, { model: code, series: elements.series ?? null, year: readAs });
  return {
    make,
    model: model || null,
    // Where the trade has a name of its own, the code stands in the place of the series.
    series: model === code ? (elements.series ?? null) : code,
    year,
    years_possible: possible,
    vehicle_type: VEHICLE_TYPES[maker.type] ?? 'truck',
    ...decodeWeight(elements.weightClass),
    body_type: decodeBody(elements, maker.type),
    cab: elements.cab ?? null,
    drivetrain: elements.drivetrain ?? null,
    ...engine,
    fuel_type,
    manufacturer: maker.manufacturer || null,
    plant_country: elements.plantCountry ?? null,
    check_digit_valid: computeCheckDigit(vin) === vin.charAt(8),
  };
}

/** vPIC writes `Volvo Truck` and `Navistar`; names that are near a make of ours by chance stay as they are. */
function makeNamed(name: string | null, vin: string, year: number | null): string | null {
  if (name === null) return null;
  const plain = name.startsWith('Sprinter') ? 'Sprinter' : name;
  const { make, corrected } = canonicalMake(plain, { vin, year, isTruck: true });
  return corrected ? name : make;
}

function decodeWeight(
  classes: string | undefined,
): Pick<VinDecoded, 'truck_class' | 'gvwr_min' | 'gvwr_max'> {
  const [lowest, highest = lowest] = (classes ?? '').split('-').filter(Boolean).map(Number);
  const from = WEIGHT_CLASSES.find((row) => row.class === lowest);
  const above = WEIGHT_CLASSES.find((row) => row.class === (highest ?? 0) + 1);
  return {
    truck_class: from !== undefined && lowest === highest ? `class_${from.class}` : null,
    gvwr_min: from?.min ?? null,
    gvwr_max: from === undefined || above === undefined ? null : above.min - 1,
  };
}

function decodeBody({ body, cab }: Elements, type: string): string | null {
  if (body === undefined) return null;
  if (body === 'van')
    return type === 'Truck' || type === 'Incomplete Vehicle' ? 'cargo_van' : 'passenger_van';
  if (body === 'tractor' && cab === 'Sleeper') return 'sleeper_tractor';
  if (body === 'tractor' && cab === 'Day cab') return 'day_cab_tractor';
  return canonicalBody(body);
}

function decodeEngine(elements: Elements) {
  const maker = elements.engineMake ?? null;
  const litres = parseNumber(elements.litres);
  const model = elements.engine === maker ? null : (elements.engine ?? null);
  const size = litres === null ? null : `${litres.toFixed(1)}L`;
  const name = model ?? size;
  const named = maker !== null && name !== null && !name.toLowerCase().startsWith(firstWord(maker));
  return {
    engine: named ? `${maker} ${withoutStart(name, lastWord(maker))}` : name,
    engine_make: maker,
    engine_model: model,
    displacement_l: litres,
    cylinders: parseNumber(elements.cylinders),
    horsepower: parseNumber(elements.horsepower),
    fuel_type: decodeFuel(elements),
  };
}

function firstWord(text: string): string {
  return text.toLowerCase().split(' ')[0] ?? '';
}

function lastWord(text: string): string {
  return text.split(' ').at(-1) ?? '';
}

/** `Diesel DD15` of Detroit Diesel is a DD15. */
function withoutStart(text: string, start: string): string {
  return text.startsWith(`${start} `) ? text.slice(start.length + 1) : text;
}

/** A second fuel makes it a hybrid, or flexible where both go into one tank. */
function decodeFuel({ fuel, secondFuel }: Elements): string | null {
  if (fuel === undefined || secondFuel === undefined || fuel === secondFuel)
    return fuel ?? secondFuel ?? null;
  const both = [fuel, secondFuel];
  if (both.includes('flex_fuel') && both.includes('gasoline')) return 'flex_fuel';
  return both.includes('electric') ? 'hybrid' : fuel;
}

function parseNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
