import type { VinVehicleType } from '../../truck/listing/truck.ts';
import { snakeCase } from '../../truck/text/text.ts';
import { compileKey, fits, type Key, keyedPart } from './pattern-key.ts';
import { ELEMENTS, type Element, FIRST_YEAR, OPEN, type Vpic } from './vpic-file.ts';

/** What vPIC's patterns say of a VIN in one model year. */
export type Elements = Partial<Record<Element, string>>;

export interface Maker {
  type: VinVehicleType;
  /** Null where the model decides. */
  make: string | null;
  manufacturer: string;
  schemas: readonly Schema[];
}

/** A run of patterns that a maker uses from one model year to another. */
interface Schema {
  number: number;
  from: number;
  to: number;
}

interface Best {
  closeness: number;
  from: number;
  value: string;
}

export type Tables = ReturnType<typeof openTables>;

const NAMES: ReadonlyMap<string, Element> = new Map(
  Object.entries(ELEMENTS).map(([name, letter]) => [letter, name as Element]),
);

/** The extract made ready for look-ups. */
export function openTables(vpic: Vpic) {
  const makers = new Map(vpic.wmis.map((wmi, index) => [wmi, toMaker(vpic, index)]));
  const engines = new Map(
    vpic.engines.map((line) => {
      const [name = '', ...values] = line.split('\t');
      return [name.toLowerCase(), values];
    }),
  );
  const elements = vpic.values.map((value) => value.charAt(0));
  const keys: Key[] = [];

  function findMaker(vin: string): Maker | null {
    // 49 CFR 565.15: makers of fewer than 1,000 vehicles a year have 9 in position 3 and are identified by 12 to 14.
    const wmi = vin.charAt(2) === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3);
    return makers.get(wmi) ?? null;
  }

  /** True when the maker has any schema for this model year, or had one when the extract was made and the year is later. */
  function covers({ schemas }: Maker, year: number) {
    const latest = Math.min(year, vpic.vintage);
    return schemas.some((schema) => coversYear(schema, latest) || coversYear(schema, year));
  }

  /** Reads all that the maker's schemas for the model year say. */
  function read({ schemas }: Maker, vin: string, year: number): Elements {
    const best = new Map<string, Best>();
    const part = keyedPart(vin);
    for (const schema of schemas) if (coversYear(schema, year)) readSchema(schema, part, best);
    const patternElements = toElements(Array.from(best.values(), ({ value }) => value));
    // The engine model's name adds what no pattern says.
    return {
      ...toElements(engines.get(patternElements.engine?.toLowerCase() ?? '') ?? []),
      ...patternElements,
    };
  }

  function readSchema({ number, from }: Schema, part: string, best: Map<string, Best>) {
    const [start = 0, end = 0] = vpic.schemaStarts.subarray(number, number + 2);
    let lastElement = '';
    for (let fact = start; fact < end; fact++) {
      const value = vpic.factValues[fact] ?? 0;
      const element = elements[value] ?? '';
      if (element === lastElement) continue;
      const index = vpic.factKeys[fact] ?? 0;
      keys[index] ??= compileKey(vpic.keys[index] ?? '');
      if (!fits(keys[index], part)) continue;
      lastElement = element;
      const candidate = { closeness: keys[index].closeness, from, value: vpic.values[value] ?? '' };
      const other = best.get(element);
      if (other === undefined || isCloser(candidate, other)) best.set(element, candidate);
    }
  }

  return { findMaker, covers, read };
}

function toMaker(vpic: Vpic, index: number): Maker {
  const [type = '', make = '', manufacturer = ''] = (vpic.makers[index] ?? '').split('\t');
  const [start, end] = vpic.wmiStarts.subarray(index, index + 2);
  const last = vpic.useTo.subarray(start, end);
  const first = vpic.useFrom.subarray(start, end);
  const schemas = Array.from(vpic.useSchemas.subarray(start, end), (number, at) => ({
    number,
    from: FIRST_YEAR + (first[at] ?? 0),
    to: last[at] === OPEN ? Number.POSITIVE_INFINITY : FIRST_YEAR + (last[at] ?? 0),
  }));
  // `Multipurpose Passenger Vehicle (MPV)`: its type is one of five, in words.
  const vehicleType = snakeCase(type.replace(/ \(.*/, '')) as VinVehicleType;
  return { type: vehicleType, make: make || null, manufacturer, schemas };
}

const coversYear = ({ from, to }: Schema, year: number) => year >= from && year <= to;

const isCloser = (one: Best, other: Best) =>
  one.closeness > other.closeness || (one.closeness === other.closeness && one.from > other.from);

function toElements(values: readonly string[]) {
  const elements: Elements = {};
  for (const value of values) {
    const name = NAMES.get(value.charAt(0));
    if (name !== undefined) elements[name] = value.slice(1);
  }
  return elements;
}
