/**
 * The extract of vPIC as columns. A manufacturer identifier (WMI) uses schemas, each from one model year to another; a
 * schema is a run of facts, the best first for each element; a fact says that a VIN matching this key has this value.
 * The file holds the columns one after the other, little endian, behind a head of 32-bit counts; as shipped it is
 * compressed with brotli.
 */
export interface Vpic {
  /** Calendar year of the latest change at the source; model years after it are not known yet. */
  vintage: number;
  /** Facts of schema `n` are those from `schemaStarts[n]` to before `schemaStarts[n + 1]`. */
  schemaStarts: Uint32Array;
  /** Uses of WMI `n`, likewise. */
  wmiStarts: Uint32Array;
  factKeys: Uint16Array;
  factValues: Uint16Array;
  useSchemas: Uint16Array;
  /** Model years counted from 1980. */
  useFrom: Uint8Array;
  useTo: Uint8Array;
  /** Sorted. Three characters, or six for small makers. */
  wmis: readonly string[];
  /** `vehicle type, make, manufacturer`, tabs between; make empty where the model decides. */
  makers: readonly string[];
  /** vPIC's pattern language: `***AB|*C`, with `*` and `[A-D7]`. */
  keys: readonly string[];
  /** The element's letter, then the value in our vocabulary. */
  values: readonly string[];
  /** What an engine model's name alone says: the name, then values as above, tabs between. */
  engines: readonly string[];
}

export const FIRST_YEAR = 1980;
/** No last model year is known. */
export const OPEN = 255;

/** The first letter of each value names its element. */
export const ELEMENTS = {
  /** `make, model`, a tab between. */
  model: 'M',
  body: 'B',
  cab: 'C',
  drivetrain: 'D',
  fuel: 'F',
  /** The other fuel of a vehicle that takes two. */
  secondFuel: 'S',
  /** GVWR as weight classes: `7` or `7-8`. */
  weightClass: 'G',
  engine: 'E',
  engineMake: 'K',
  litres: 'L',
  cylinders: 'Y',
  horsepower: 'H',
  series: 'T',
  plantCountry: 'P',
} as const;
export type Element = keyof typeof ELEMENTS;

export const MAGIC = 0x31_43_50_56;
export const TEXTS = ['wmis', 'makers', 'keys', 'values', 'engines'] as const;

/** Reads what `scripts/build-vpic/encode.ts` wrote; the number columns are views on one copy of the file. */
export function decodeVpic(file: Uint8Array): Vpic {
  const { buffer } = file.slice();
  const head = 4 * (6 + TEXTS.length);
  if (file.byteLength < head) throw new Error('not a vPIC file');
  const counts = new Uint32Array(buffer, 0, head / 4);
  const [magic = 0, vintage = 0, schemas = 0, wmis = 0, facts = 0, uses = 0, ...lengths] = counts;
  const size = head + 4 * (schemas + wmis + facts + uses) + lengths.reduce((sum, length) => sum + length, 0);
  if (magic !== MAGIC || size !== file.byteLength) throw new Error('not a vPIC file');
  let offset = head;
  const next = (bytes: number) => {
    offset += bytes;
    return offset - bytes;
  };
  const text = (index: number) => {
    const length = lengths[index] ?? 0;
    return new TextDecoder().decode(new Uint8Array(buffer, next(length), length)).split('\n');
  };
  return {
    vintage,
    schemaStarts: new Uint32Array(buffer, next(schemas * 4), schemas),
    wmiStarts: new Uint32Array(buffer, next(wmis * 4), wmis),
    factKeys: new Uint16Array(buffer, next(facts * 2), facts),
    factValues: new Uint16Array(buffer, next(facts * 2), facts),
    useSchemas: new Uint16Array(buffer, next(uses * 2), uses),
    useFrom: new Uint8Array(buffer, next(uses), uses),
    useTo: new Uint8Array(buffer, next(uses), uses),
    wmis: text(0),
    makers: text(1),
    keys: text(2),
    values: text(3),
    engines: text(4),
  };
}
