// Fails without it: drivers.test.ts, "values" (the drivers' defaults differ, and turn dates into local ones).

/** A type parser of node-postgres. */
export type Parse = (text: string) => unknown;

const JSON_TYPES: readonly number[] = [114, 3802];
/** boolean, boolean[] */
const BOOLEAN_TYPES = [16, 1000];
/** int2, int4, float4, float8 and arrays of them */
const NUMBER_TYPES = [21, 23, 700, 701, 1005, 1007, 1021, 1022];
/** text[], varchar[], int8[] (as texts) */
const TEXT_ARRAY_TYPES = [1009, 1015, 1016];
/** Types that the driver parses (OIDs of pg_type.dat); all others arrive as the text that Postgres wrote. */
const PARSED_TYPES: ReadonlySet<number> = new Set([
  ...BOOLEAN_TYPES,
  ...NUMBER_TYPES,
  ...JSON_TYPES,
  ...TEXT_ARRAY_TYPES,
]);

const asText: Parse = (text) => text;

/** What a query says about its columns; in rows as arrays json stays text, because drizzle parses it itself. */
export function columnTypes(driverParser: (oid: number) => Parse, keepJson: boolean) {
  return {
    getTypeParser: (oid: number): Parse =>
      PARSED_TYPES.has(oid) && !(keepJson && JSON_TYPES.includes(oid)) ? driverParser(oid) : asText,
  };
}

/**
 * A parameter as Postgres reads it. Takes strings, numbers, bigints, booleans, null, dates (as ISO) and arrays of those
 * but the last; objects are JSON text by the caller.
 * @throws TypeError for anything else, undefined included: that is a bug of the caller, not a NULL.
 */
export function toWire(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(arrayElement).join(',')}}`;
  return scalar(value);
}

/** The text of a statement with its values in place of $1, $2, …; none of these may stand inside a literal. */
export function inlineValues(text: string, params: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place) => toLiteral(toWire(params[Number(place) - 1])));
}

/** As an escape string: it means the same whatever `standard_conforming_strings` says. */
function toLiteral(value: string | null): string {
  if (value === null) return 'null';
  return `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return `${value}`;
  throw new TypeError(
    `a query parameter is ${value === undefined ? 'undefined' : `of type ${typeof value}`}`,
  );
}

function arrayElement(value: unknown): string {
  return value === null ? 'NULL' : `"${scalar(value).replace(/[\\"]/g, '\\$&')}"`;
}
