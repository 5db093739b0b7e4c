import type { Context } from 'hono';
import { ApiError } from '../../errors.ts';

/** The parameters in the path. A control character is in none of our ids, and the store would not take it. */
export function readPath(hono: Context): Record<string, string> {
  const params: Record<string, string> = hono.req.param();
  if (Object.values(params).some((value) => /[\x00-\x1f]/.test(value)))
    throw new ApiError('NOT_FOUND', 'Nothing has this address.');
  return params;
}
