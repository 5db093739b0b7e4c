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
  return new VpicBook(vpic);
}

class VpicBook implements Book {
  readonly #vpic: Vpic;
  readonly #elements: Uint8Array;
  readonly #byWmi: ReadonlyMap<string, number>;
  readonly #engines: ReadonlyMap<string, string[]>;
  /** Keys of the VIN at hand: its turn, doubled, plus one where the key fits. Many facts share a key. */
  readonly #judged: Float64Array;
  #turn = 0;

  constructor(vpic: Vpic) {
    this.#vpic = vpic;
    this.#elements = Uint8Array.from(vpic.values, (value) => value.charCodeAt(0));
    this.#byWmi = new Map(vpic.wmis.map((wmi, index) => [wmi, index]));
    this.#engines = new Map(
      vpic.engines.map((line) => {
        const [name = '', ...said] = line.split('\t');
        return [name.toLowerCase(), said];
      }),
    );
    this.#judged = new Float64Array(vpic.keys.length);
  }

  findMaker(vin: string): Maker | null {
    // 49 CFR 565.15: makers of fewer than 1,000 vehicles a year have 9 in position 3 and are identified by 12 to 14.
    const wmi = vin.charAt(2) === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3);
    const index = this.#byWmi.get(wmi);
    if (index === undefined) return null;
    const [type = '', make = '', manufacturer = ''] = (this.#vpic.makers[index] ?? '').split('\t');
    return { index, type, make: make || null, manufacturer };
  }

  covers({ index }: Maker, year: number): boolean {
    const known = Math.min(year, this.#vpic.vintage);
    const [first, end] = this.#uses(index);
    for (let use = first; use < end; use++)
      if (this.#isCovered(use, known) || this.#isCovered(use, year)) return true;
    return false;
  }

  read({ index }: Maker, vin: string, year: number): Said {
    const { useSchemas, useFrom } = this.#vpic;
    this.#turn += 2;
    const part = keyedPart(vin);
    const best = new Map<number, Best>();
    const [first, end] = this.#uses(index);
    for (let use = first; use < end; use++)
      if (this.#isCovered(use, year)) this.#readSchema(useSchemas[use] ?? 0, useFrom[use] ?? 0, part, best);
    const said: Said = {};
    for (const [element, { value }] of best) set(said, element, value);
    return this.#withEngine(said);
  }

  /** The maker's uses of schemas: first, and behind the last. */
  #uses(maker: number): [number, number] {
    const { wmiStarts } = this.#vpic;
    return [wmiStarts[maker] ?? 0, wmiStarts[maker + 1] ?? 0];
  }

  #isCovered(use: number, year: number): boolean {
    const to = this.#vpic.useTo[use] ?? 0;
    const isOpen = to === OPEN || year - FIRST_YEAR <= to;
    return isOpen && year - FIRST_YEAR >= (this.#vpic.useFrom[use] ?? OPEN);
  }

  #readSchema(schema: number, from: number, part: string, best: Map<number, Best>): void {
    const { schemaStarts, factKeys, factValues, keys, values } = this.#vpic;
    const end = schemaStarts[schema + 1] ?? 0;
    let settled = 0;
    for (let fact = schemaStarts[schema] ?? 0; fact < end; fact++) {
      const key = factKeys[fact] ?? 0;
      const index = factValues[fact] ?? 0;
      const element = this.#elements[index] ?? 0;
      if (element === settled || !this.#keyFits(key, part)) continue;
      settled = element;
      const found = { closeness: closeness(keys[key] ?? ''), from, value: values[index] ?? '' };
      const other = best.get(element);
      if (other === undefined || closer(found, other)) best.set(element, found);
    }
  }

  #keyFits(key: number, part: string): boolean {
    const known = this.#judged[key] ?? 0;
    if (known >= this.#turn) return known > this.#turn;
    const fit = fits(this.#vpic.keys[key] ?? '', part);
    this.#judged[key] = fit ? this.#turn + 1 : this.#turn;
    return fit;
  }

  /** The engine model's name fills in what no pattern says. */
  #withEngine(said: Said): Said {
    const more: Said = {};
    for (const value of this.#engines.get(said.engine?.toLowerCase() ?? '') ?? [])
      set(more, value.charCodeAt(0), value);
    return { ...more, ...said };
  }
}

function closer(left: Best, right: Best): boolean {
  return left.closeness > right.closeness || (left.closeness === right.closeness && left.from > right.from);
}

function set(said: Said, element: number, value: string): void {
  const name = NAMES.get(element);
  if (name !== undefined) said[name] = value.slice(1);
}
