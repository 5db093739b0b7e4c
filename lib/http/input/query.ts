import type * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';
import { cleanLine } from '../../truck/text/text.ts';
import { type Context, invalid } from '../context.ts';

/** The parameters in the path. A control character is in none of our ids, and the store would not take it. */
export function readPath({ hono }: Pick<Context, 'hono'>): Record<string, string> {
  const params: Record<string, string> = hono.req.param();
  if (Object.values(params).some((value) => /[\x00-\x1f]/.test(value)))
    throw new ApiError('NOT_FOUND', 'Nothing has this address.');
  return params;
}

/** The parameters of a URL. */
export const readQuery = (url: string): URLSearchParams => new URL(url, 'http://localhost').searchParams;

/**
 * The parameters as the schema reads them: values of a repeated list join by commas, and what the platform's rewrites leave
 * in the query is left out: the placeholders of the path, and `path`. Throws INVALID_PARAMS for a parameter that the route
 * does not know, and for any other that is repeated.
 */
export function toParameters(
  query: URLSearchParams,
  route: { path: string; query?: z.ZodMiniType },
): Record<string, string> {
  const shape = route.query ? readShape(route.query) : {};
  const parameters: Record<string, string> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (member && values.length > 1 && !listTypes(member).includes('array'))
      throw invalid(name, `is sent ${values.length} times`, {
        reason: 'conflicting',
        received: values.join(', '),
        fix: `Send ${name} once.`,
      });
    if (member) parameters[name] = values.join(',');
    else if (name !== 'path' && !route.path.includes(`{${name}}`))
      throw unknownParameter(name, Object.keys(shape));
  }
  return parameters;
}

/** The members of an object's schema. */
export function readShape(schema: z.ZodMiniType): Record<string, z.ZodMiniType> {
  const { shape } = schema as z.ZodMiniType & { shape?: Record<string, z.ZodMiniType> };
  if (shape === undefined) throw new Error('the schema of a route is an object');
  return shape;
}

function unknownParameter(name: string, names: readonly string[]): ApiError {
  const field = cleanLine(name).slice(0, 80).toWellFormed() || '(blank)';
  const fix =
    names.length === 0 ? 'Leave it out; this route takes no parameters.' : `Send only: ${names.join(', ')}.`;
  return invalid(field, 'is not a parameter of this route', { reason: 'unknown_parameter', fix });
}

/** The types of a schema, from the outermost to what is read in the end, behind defaults and conversions. */
export function listTypes(schema: z.core.$ZodType): string[] {
  const def: { type: string; innerType?: z.core.$ZodType; out?: z.core.$ZodType } = schema._zod.def;
  const inner = def.innerType ?? def.out;
  return [def.type, ...(inner ? listTypes(inner) : [])];
}
