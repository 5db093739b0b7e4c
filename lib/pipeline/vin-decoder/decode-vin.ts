import type { VinDecoded } from '../../truck/listing/truck.ts';
import { decodeModelYears, hasVinCharacters } from '../../truck/vin/vin.ts';
import { canonicalMake } from '../../truck/vocabulary/make.ts';
import { spellModel } from '../../truck/vocabulary/model.ts';
import { toTradeName } from '../../truck/vocabulary/series.ts';
import { WEIGHT_CLASSES } from '../../truck/vocabulary/weight-class.ts';
import type { Elements, Maker, Tables } from './tables.ts';

/** Decodes a VIN; null if it is not well formed or its maker is unknown. */
export function decodeVin(
  tables: Tables,
  vin: string,
  years: { recordYear: number | null; currentYear: number },
): VinDecoded | null {
  if (!hasVinCharacters(vin)) return null;
  const maker = tables.findMaker(vin);
  if (maker === null) return null;
  const possible = listYears(tables, maker, vin, years.currentYear);
  const near = years.recordYear ?? years.currentYear;
  const [year = null] = possible.toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near));
  // Some makers outside North America code no year; then the record's tells which schemas hold.
  const readAs = year ?? (possible.length === 0 ? years.recordYear : null);
  const elements: Elements = readAs === null ? {} : tables.read(maker, vin, readAs);
  const [makeOfModel = '', modelName = ''] = (elements.model ?? '').split('\t');
  const make = readMake(makeOfModel || maker.make, vin);
  const code = spellModel(modelName, make ?? '');
  const model = toTradeName(code, elements.series ?? null);
  return {
    make,
    model: model || null,
    // If the trade has a name of its own, the code takes the place of the series.
    series: model === code ? (elements.series ?? null) : code,
    year,
    years_possible: possible,
    vehicle_type: maker.type,
    ...decodeWeight(elements.weightClass),
    body_type: decodeBody(elements, maker.type),
    cab: elements.cab ?? null,
    drivetrain: elements.drivetrain ?? null,
    ...decodeEngine(elements),
    fuel_type: decodeFuel(elements),
    manufacturer: maker.manufacturer || null,
    plant_country: elements.plantCountry ?? null,
  };
}

/**
 * The years that position 10 may stand for, which repeat every 30: those that the maker has schemas for, or else all. Position 7
 * does not tell which round it is, since the rule of 2010 holds up to 10,000 lb only.
 */
function listYears(tables: Tables, maker: Maker, vin: string, currentYear: number) {
  const all = decodeModelYears(vin, currentYear);
  const coveredYears = all.filter((year) => tables.covers(maker, year));
  return coveredYears.length > 0 ? coveredYears : all;
}

/** vPIC writes `Volvo Truck` and `Navistar`; names that are near a make of ours by chance stay as they are. */
function readMake(name: string | null, vin: string) {
  if (name === null) return null;
  const plain = name.startsWith('Sprinter') ? 'Sprinter' : name;
  const { make, corrected } = canonicalMake(plain, vin);
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

/** Values are names of our own, but for vans, whose kind the type of vehicle tells. */
function decodeBody({ body, cab }: Elements, type: Maker['type']) {
  if (body === 'van')
    return type === 'truck' || type === 'incomplete_vehicle' ? 'cargo_van' : 'passenger_van';
  if (body === 'tractor' && cab === 'Sleeper') return 'sleeper_tractor';
  return body === 'tractor' && cab === 'Day cab' ? 'day_cab_tractor' : (body ?? null);
}

function decodeEngine(elements: Elements) {
  const maker = elements.engineMake ?? null;
  const litres = parseNumber(elements.litres);
  const model = elements.engine === maker ? null : (elements.engine ?? null);
  // `Diesel DD15` of Detroit Diesel is a DD15.
  const name = model?.replace(/^Diesel /, '') ?? (litres === null ? null : `${litres.toFixed(1)}L`);
  const [brand = ''] = (maker ?? '').split(' ');
  const namesMaker = name === null || name.toLowerCase().startsWith(brand.toLowerCase());
  return {
    engine: namesMaker ? name : `${maker} ${name}`,
    engine_make: maker,
    engine_model: model,
    displacement_l: litres,
    cylinders: parseNumber(elements.cylinders),
    horsepower: parseNumber(elements.horsepower),
  };
}

/** A second fuel makes it a hybrid, or flexible where both go into one tank. */
function decodeFuel({ fuel, secondFuel }: Elements) {
  if (fuel === undefined || secondFuel === undefined || fuel === secondFuel)
    return fuel ?? secondFuel ?? null;
  const both = [fuel, secondFuel];
  if (both.includes('flex_fuel') && both.includes('gasoline')) return 'flex_fuel';
  return both.includes('electric') ? 'hybrid' : fuel;
}

function parseNumber(text: string | undefined) {
  return text === undefined ? null : Number(text);
}
