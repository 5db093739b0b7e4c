/**
 * Values on the wire, the same for every driver: parameters leave as text and columns arrive as text, and only the
 * types listed here are turned into JavaScript values. Everything else (int8, numeric, timestamps, bytea …) stays the
 * text Postgres wrote.
 */

export type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const asNumber: Parse = (text) => Number(text);
const asBoolean: Parse = (text) => text === 't';
const asJson: Parse = (text) => JSON.parse(text);

const arrayOf =
  (element: Parse): Parse =>
  (text) =>
    parseArray(text, element);

/** Column types by OID (pg_type.dat). */
const PARSERS: ReadonlyMap<number, Parse> = new Map([
  [16, asBoolean],
  [21, asNumber], // int2
  [23, asNumber], // int4
  [700, asNumber], // float4
  [701, asNumber], // float8
  [114, asJson],
  [3802, asJson], // jsonb
  [1000, arrayOf(asBoolean)],
  [1005, arrayOf(asNumber)], // int2[]
  [1007, arrayOf(asNumber)], // int4[]
  [1009, arrayOf(asText)], // text[]
  [1015, arrayOf(asText)], // varchar[]
  [1016, arrayOf(asText)], // int8[]
  [1021, arrayOf(asNumber)], // float4[]
  [1022, arrayOf(asNumber)], // float8[]
  [1231, arrayOf(asText)], // numeric[]
]);

/** How a column of this type becomes a value: json and jsonb arrive parsed. */
export const parserOf = (oid: number): Parse => PARSERS.get(oid) ?? asText;

/** The same for rows as arrays, except that json stays text: drizzle parses it itself, and must not do so twice. */
export const arrayModeParserOf = (oid: number): Parse =>
  oid === 114 || oid === 3802 ? asText : parserOf(oid);

/**
 * A parameter as Postgres reads it. Takes strings, numbers, bigints, booleans, null, dates (ISO) and arrays of those
 * but the last; objects are JSON text by the caller.
 * @throws TypeError for anything else, undefined included: that is a bug at the caller, not a NULL.
 */
export function toWire(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(arrayElement).join(',')}}`;
  return scalar(value);
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

/** Reads Postgres' array text, nested ones too: `{a,"b \"c\"",NULL,{…}}`. */
export function parseArray(text: string, element: Parse): unknown[] {
  let at = text.indexOf('{');

  const quoted = (): string => {
    let value = '';
    for (at++; text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      value += text[at] ?? '';
    }
    at++;
    return value;
  };

  const bare = (): string => {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++;
    return text.slice(start, at);
  };

  const list = (): unknown[] => {
    const items: unknown[] = [];
    at++;
    while (at < text.length && text[at] !== '}') {
      if (text[at] === '{') items.push(list());
      else if (text[at] === '"') items.push(element(quoted()));
      else {
        const word = bare();
        items.push(word === 'NULL' ? null : element(word));
      }
      if (text[at] === ',') at++;
    }
    at++;
    return items;
  };

  return list();
}
