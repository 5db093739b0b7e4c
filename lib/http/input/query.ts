import type * as z from 'zod/mini';
import { cleanLine, received } from '../../domain/text/text.ts';
import { ApiError } from '../../errors.ts';

/** The parameters of a URL, each with its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const NO_PARAMETERS: Query = new Map();

export function readQuery(url: string): Query {
  const start = url.indexOf('?');
  if (start === -1) return NO_PARAMETERS;
  const end = url.indexOf('#', start);
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, end === -1 ? undefined : end))) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/** What the platform's rewrites leave in the query: the placeholders of the path, and `path`. */
export function rewriteResidue(path: string): ReadonlySet<string> {
  return new Set(['path', ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)]);
}

/**
 * The parameters as the schema reads them: values of a repeated list join by commas, and the residue of rewrites is left
 * out. Throws INVALID_PARAMS for a parameter that the route does not know, and for any other that is repeated.
 */
export function toParameters(
  query: Query,
  schema: z.ZodMiniType | undefined,
  residue: ReadonlySet<string>,
): Record<string, string> {
  const known = knownParameters(schema);
  const parameters: [string, string][] = [];
  for (const [name, values] of query) {
    const kind = known.get(name);
    if (kind === 'single' && values.length > 1) throw repeatedParameter(name, values);
    if (kind) parameters.push([name, values.join(',')]);
    else if (!residue.has(name)) throw unknownParameter(name, [...known.keys()]);
  }
  return Object.fromEntries(parameters);
}

function repeatedParameter(field: string, values: readonly string[]): ApiError {
  return new ApiError('INVALID_PARAMS', `${field} is sent ${values.length} times.`, {
    details: {
      field,
      reason: 'conflicting',
      received: received(values.join(', ')),
      fix: `Send ${field} once.`,
    },
  });
}

function unknownParameter(name: string, known: readonly string[]): ApiError {
  const field = cleanLine(name).slice(0, 80).toWellFormed() || '(blank)';
  const fix =
    known.length === 0 ? 'Leave it out; this route takes no parameters.' : `Send only: ${known.join(', ')}.`;
  return new ApiError('INVALID_PARAMS', `${field} is not a parameter of this route.`, {
    details: { field, reason: 'unknown_parameter', fix },
  });
}

type Kind = 'list' | 'single';
const NONE: ReadonlyMap<string, Kind> = new Map();
const kindsBySchema = new WeakMap<z.ZodMiniType, ReadonlyMap<string, Kind>>();

function knownParameters(schema: z.ZodMiniType | undefined): ReadonlyMap<string, Kind> {
  if (schema === undefined) return NONE;
  const known = kindsBySchema.get(schema);
  if (known) return known;
  const { shape } = schema as z.ZodMiniType & { shape?: Record<string, z.ZodMiniType> };
  if (shape === undefined) throw new Error('the query schema of a route is an object');
  const kinds = new Map(
    Object.entries(shape).map(([name, member]) => [name, isList(member) ? 'list' : 'single'] as const),
  );
  kindsBySchema.set(schema, kinds);
  return kinds;
}

/** Whether a value is read as a list in the end, behind defaults and conversions. */
export function isList(schema: z.core.$ZodType): boolean {
  const def: { type: string; innerType?: z.core.$ZodType; out?: z.core.$ZodType } = schema._zod.def;
  if (def.type === 'array') return true;
  const inner = def.innerType ?? def.out;
  return inner !== undefined && isList(inner);
}
