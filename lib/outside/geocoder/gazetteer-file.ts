/**
 * The bundled gazetteer as columns: cities sorted by `key`, postal codes sorted by their text. The file is `serialize` of
 * node:v8, compressed with brotli.
 */
export interface Gazetteer {
  /** `TX|FORTWORTH`, as `foldCity` writes names. */
  cityKeys: readonly string[];
  cityNames: readonly string[];
  /** In 1/10,000 degree. */
  cityLatitudes: Int32Array;
  cityLongitudes: Int32Array;
  /** US ZIP codes, and Canadian postal codes and their areas: `M5V`. */
  zips: readonly string[];
  zipCities: Uint16Array;
  zipLatitudes: Int32Array;
  zipLongitudes: Int32Array;
}

export const DEGREE = 10_000;

/** A ZIP code, or a Canadian postal code and its areas, the smallest first; none for neither. */
export function postalKeys(code: string): string[] {
  const digits = /^(\d{5})(?:-\d{4})?$/.exec(code)?.[1];
  if (digits !== undefined) return [digits];
  const bare = code.replace(' ', '');
  if (!/^[A-Z]\d(?:[A-Z](?:\d[A-Z]\d)?)?$/.test(bare)) return [];
  return [bare, bare.slice(0, 3), bare.slice(0, 2)];
}
