import type * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';

/** The parameters of a URL; values of a repeated one are joined by commas, as lists are written. */
export function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  if (start === -1) return {};
  const end = url.indexOf('#', start);
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, end === -1 ? undefined : end))) {
    const before = params.get(name);
    params.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(params);
}

/** What the platform's rewrites leave in the query: the placeholders of the path, and `path`. */
export function rewriteResidue(path: string): ReadonlySet<string> {
  return new Set(['path', ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)]);
}

/** The query without the residue of rewrites. Throws INVALID_PARAMS for a parameter that the route does not know. */
export function checkParameters(
  query: Readonly<Record<string, string>>,
  schema: z.ZodMiniType | undefined,
  residue: ReadonlySet<string>,
): Record<string, string> {
  const known = parameterNames(schema);
  const own = Object.entries(query).filter(([name]) => known.has(name) || !residue.has(name));
  const unknown = own.find(([name]) => !known.has(name))?.[0];
  if (unknown === undefined) return Object.fromEntries(own);
  const field = unknown.slice(0, 80).toWellFormed();
  const names = [...known].join(', ');
  throw new ApiError('INVALID_PARAMS', `${field} is not a parameter of this route.`, {
    details: {
      field,
      reason: 'unknown_parameter',
      fix: names === '' ? 'Leave it out; this route takes no parameters.' : `Send only: ${names}.`,
    },
  });
}

const NONE: ReadonlySet<string> = new Set();
const namesBySchema = new WeakMap<z.ZodMiniType, ReadonlySet<string>>();

function parameterNames(schema: z.ZodMiniType | undefined): ReadonlySet<string> {
  if (schema === undefined) return NONE;
  const known = namesBySchema.get(schema);
  if (known) return known;
  const { shape } = schema as z.ZodMiniType & { shape?: object };
  if (shape === undefined) throw new Error('the query schema of a route is an object');
  const names = new Set(Object.keys(shape));
  namesBySchema.set(schema, names);
  return names;
}
