/**
 * The bundled gazetteer as columns: cities sorted by state and folded name, ZIP codes sorted by number. Coordinates
 * are in 1/10,000 degree; a ZIP code's are an offset from its city's. The file holds them one after the other, little
 * endian, behind five counts of 32 bits; the file as shipped is compressed with brotli.
 */
export interface Gazetteer {
  cityLatitudes: Int32Array;
  cityLongitudes: Int32Array;
  zips: Uint32Array;
  zipCities: Uint16Array;
  zipLatitudes: Int16Array;
  zipLongitudes: Int16Array;
  cityStates: Uint8Array;
  /** Two-letter codes; `cityStates` points here. */
  states: readonly string[];
  cityNames: readonly string[];
}

export const DEGREE = 10_000;
const FIRST_CANADIAN = 100_000;

/**
 * The numbers that stand for a ZIP code, or for a Canadian postal code and its areas: all of it before its first three
 * characters, and those before its first two. None for neither.
 */
export function postalNumbers(code: string): number[] {
  const digits = /^(\d{5})(?:-\d{4})?$/.exec(code)?.[1];
  if (digits !== undefined) return [Number(digits)];
  const [, area, letter, rest] = /^([A-Z]\d)(?:([A-Z])(?: ?(\d[A-Z]\d))?)?$/.exec(code) ?? [];
  if (area === undefined) return [];
  const areas = [area];
  if (letter !== undefined) areas.unshift(area + letter);
  if (rest !== undefined) areas.unshift(area + letter + rest);
  return areas.map((each) => FIRST_CANADIAN + Number.parseInt(each, 36));
}
const MAGIC = 0x31_5a_41_47;

/** The uncompressed file of a gazetteer. */
export function encodeGazetteer(gazetteer: Gazetteer): Uint8Array {
  const states = new TextEncoder().encode(gazetteer.states.join('\n'));
  const names = new TextEncoder().encode(gazetteer.cityNames.join('\n'));
  const { cityNames, zips } = gazetteer;
  const counts = [MAGIC, cityNames.length, zips.length, states.length, names.length];
  const columns: ArrayBufferView[] = [
    Uint32Array.from(counts),
    gazetteer.cityLatitudes,
    gazetteer.cityLongitudes,
    zips,
    gazetteer.zipCities,
    gazetteer.zipLatitudes,
    gazetteer.zipLongitudes,
    gazetteer.cityStates,
    states,
    names,
  ];
  const size = columns.reduce((sum, column) => sum + column.byteLength, 0);
  const file = new Uint8Array(size);
  let offset = 0;
  for (const column of columns) {
    file.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return file;
}

/** Reads what `encodeGazetteer` wrote; the number columns are views on one copy of the file. */
export function decodeGazetteer(file: Uint8Array): Gazetteer {
  const { buffer } = file.slice();
  const [magic = 0, cities = 0, zips = 0, stateBytes = 0, nameBytes = 0] = new Uint32Array(buffer, 0, 5);
  const size = 20 + cities * 9 + zips * 10 + stateBytes + nameBytes;
  if (magic !== MAGIC || size !== file.byteLength) throw new Error('this is no gazetteer file');
  let offset = 20;
  const next = (bytes: number) => {
    offset += bytes;
    return offset - bytes;
  };
  const text = (bytes: number) =>
    new TextDecoder().decode(new Uint8Array(buffer, next(bytes), bytes)).split('\n');
  return {
    cityLatitudes: new Int32Array(buffer, next(cities * 4), cities),
    cityLongitudes: new Int32Array(buffer, next(cities * 4), cities),
    zips: new Uint32Array(buffer, next(zips * 4), zips),
    zipCities: new Uint16Array(buffer, next(zips * 2), zips),
    zipLatitudes: new Int16Array(buffer, next(zips * 2), zips),
    zipLongitudes: new Int16Array(buffer, next(zips * 2), zips),
    cityStates: new Uint8Array(buffer, next(cities), cities),
    states: text(stateBytes),
    cityNames: text(nameBytes),
  };
}
