import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** vercel.json, as far as the platform on one machine knows it. */

const Rule = { has: z.optional(z.never()), missing: z.optional(z.never()) };

const Config = z.object({
  functions: z._default(
    z.record(z.string(), z.object({ maxDuration: z.optional(z.int().check(z.positive())) })),
    {},
  ),
  rewrites: z._default(
    z.array(z.object({ ...Rule, source: z.string(), destination: z.string().check(z.startsWith('/')) })),
    [],
  ),
  headers: z._default(
    z.array(
      z.object({
        ...Rule,
        source: z.string(),
        headers: z.array(z.object({ key: z.string(), value: z.string() })),
      }),
    ),
    [],
  ),
  crons: z._default(
    z.array(z.object({ path: z.string().check(z.startsWith('/')), schedule: z.string() })),
    [],
  ),
});

export type PlatformConfig = z.output<typeof Config>;

/** Keys that change which answer a request gets and that are not served here: refused, not passed over. */
const NOT_SERVED = ['redirects', 'routes', 'cleanUrls', 'trailingSlash', 'middleware', 'builds'];

/**
 * Reads `root`/vercel.json; a missing file is an empty one. Throws an Error that names the fault: unreadable JSON,
 * a malformed entry, or a setting the platform on one machine does not serve.
 */
export async function readConfig(root: string): Promise<PlatformConfig> {
  const raw = await readRaw(join(root, 'vercel.json'));
  const foreign = NOT_SERVED.filter((key) => Object.hasOwn(raw, key));
  if (foreign.length > 0) throw new Error(`vercel.json: ${foreign.join(', ')} is not served locally`);
  const parsed = Config.safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`vercel.json: ${faults.join('; ')}`);
}

async function readRaw(file: string): Promise<object> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('vercel.json: not a JSON object');
  return value;
}
