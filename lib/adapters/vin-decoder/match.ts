import { closeness, fits, keyedPart } from './pattern-key.ts';
import { ELEMENTS, type Element, FIRST_YEAR, OPEN, type Vpic } from './vpic-file.ts';

/** What vPIC's patterns say of a VIN in one model year, by element. */
export type Said = Partial<Record<Element, string>>;

export interface Maker {
  index: number;
  type: string;
  /** Null where the model decides. */
  make: string | null;
  manufacturer: string;
}

/** The extract made ready for look-ups; holds no state of a VIN. */
export interface Book {
  findMaker(vin: string): Maker | null;
  /**
   * True when the maker has any schema for this model year, or had one when the extract was made and the year is later.
   */
  covers(maker: Maker, year: number): boolean;
  /** The closest fitting pattern of each element; of equals, that of the newer schema. */
  read(maker: Maker, vin: string, year: number): Said;
}

interface Best {
  closeness: number;
  from: number;
  value: string;
}

const NAMES = new Map(
  Object.entries(ELEMENTS).map(([name, letter]) => [letter.charCodeAt(0), name as Element]),
);

export function openBook(vpic: Vpic): Book {
  const { schemaStarts, wmiStarts, factKeys, factValues, useSchemas, useFrom, useTo, keys, values } = vpic;
  const elements = Uint8Array.from(values, (value) => value.charCodeAt(0));
  const byWmi = new Map(vpic.wmis.map((wmi, index) => [wmi, index]));
  const engines = new Map(
    vpic.engines.map((line) => {
      const [name = '', ...said] = line.split('\t');
      return [name.toLowerCase(), said];
    }),
  );
  /** Keys of the VIN at hand: its turn, doubled, plus one where the key fits. Many facts share a key. */
  const judged = new Float64Array(keys.length);
  let turn = 0;

  function findMaker(vin: string): Maker | null {
    // 49 CFR 565.15: makers of fewer than 1,000 vehicles a year have 9 in position 3 and are told by 12 to 14.
    const wmi = vin.charAt(2) === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3);
    const index = byWmi.get(wmi);
    if (index === undefined) return null;
    const [type = '', make = '', manufacturer = ''] = (vpic.makers[index] ?? '').split('\t');
    return { index, type, make: make || null, manufacturer };
  }

  function covers({ index }: Maker, year: number): boolean {
    const known = Math.min(year, vpic.vintage);
    const end = wmiStarts[index + 1] ?? 0;
    for (let use = wmiStarts[index] ?? 0; use < end; use++) {
      if (covered(use, known) || covered(use, year)) return true;
    }
    return false;
  }

  function covered(use: number, year: number): boolean {
    const to = useTo[use] ?? 0;
    return year - FIRST_YEAR >= (useFrom[use] ?? OPEN) && (to === OPEN || year - FIRST_YEAR <= to);
  }

  function read({ index }: Maker, vin: string, year: number): Said {
    turn += 2;
    const part = keyedPart(vin);
    const best = new Map<number, Best>();
    const end = wmiStarts[index + 1] ?? 0;
    for (let use = wmiStarts[index] ?? 0; use < end; use++) {
      if (covered(use, year)) readSchema(useSchemas[use] ?? 0, useFrom[use] ?? 0, part, best);
    }
    const said: Said = {};
    for (const [element, { value }] of best) set(said, element, value);
    return withEngine(said);
  }

  function readSchema(schema: number, from: number, part: string, best: Map<number, Best>): void {
    const end = schemaStarts[schema + 1] ?? 0;
    let settled = 0;
    for (let fact = schemaStarts[schema] ?? 0; fact < end; fact++) {
      const value = factValues[fact] ?? 0;
      const element = elements[value] ?? 0;
      if (element === settled || !keyFits(factKeys[fact] ?? 0, part)) continue;
      settled = element;
      const found = {
        closeness: closeness(keys[factKeys[fact] ?? 0] ?? ''),
        from,
        value: values[value] ?? '',
      };
      const other = best.get(element);
      if (other === undefined || closer(found, other)) best.set(element, found);
    }
  }

  function keyFits(key: number, part: string): boolean {
    const known = judged[key] ?? 0;
    if (known >= turn) return known > turn;
    const fit = fits(keys[key] ?? '', part);
    judged[key] = fit ? turn + 1 : turn;
    return fit;
  }

  /** The engine model's name fills in what no pattern says. */
  function withEngine(said: Said): Said {
    const more: Said = {};
    for (const value of engines.get(said.engine?.toLowerCase() ?? '') ?? []) {
      set(more, value.charCodeAt(0), value);
    }
    return { ...more, ...said };
  }

  return { findMaker, covers, read };
}

function closer(left: Best, right: Best): boolean {
  return left.closeness > right.closeness || (left.closeness === right.closeness && left.from > right.from);
}

function set(said: Said, element: number, value: string): void {
  const name = NAMES.get(element);
  if (name !== undefined) said[name] = value.slice(1);
}
