import { ApiError } from '../../errors.ts';
import { isObject } from '../../truck/is-object.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from '../endpoint.ts';
import { BodyFault, readJson } from '../input/body.ts';
import { type BucketName, countUse, rateLimitHeaders, toQuota } from './fair-use.ts';

/**
 * Counts the call, then does the work with its body. The limit comes before the body is read, unless the body chooses the
 * bucket. A remote limiter is asked beside a read; a write waits for its verdict.
 */
export async function withinLimit<Result>(
  ctx: Context,
  endpoint: Endpoint,
  work: (body: unknown) => Promise<Result>,
): Promise<Result> {
  if (endpoint.bucket === 'by_body') return work(await readCounted(ctx, endpoint));
  const rateCheck = checkRate(ctx, endpoint, endpoint.bucket ?? null);
  if (ctx.ports.limiter.local || endpoint.method !== 'GET') {
    await rateCheck;
    return work(endpoint.body && (await readBody(ctx, endpoint)));
  }
  const [limit, result] = await Promise.allSettled([rateCheck, work(undefined)]);
  if (limit.status === 'rejected') throw limit.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Throws RATE_LIMITED for a key over the quota of its bucket, and for a page's visitor over that of the address. */
async function checkRate(
  ctx: Context,
  { widget, method }: Endpoint,
  bucket: BucketName | null,
): Promise<void> {
  const { ports, principal, address } = ctx;
  if (principal === null) return;
  if (widget && principal.kind === 'publishable') {
    // What is only read is not worth a round trip.
    const limiter = method === 'GET' ? ports.localLimiter : ports.limiter;
    await countUse(ctx, widget.perAddress, address, 'Too many calls from this address.', limiter);
    return;
  }
  const name = bucket ?? (widget ? 'requests' : null);
  if (name === null) return;
  const quota = toQuota(name, principal.account);
  const message = `More than ${quota.limit} per ${quota.windowSeconds} s (${name}).`;
  const verdict = await countUse(ctx, quota, principal.callerId, message);
  Object.assign(ctx.headers, rateLimitHeaders(quota, verdict));
}

/** The body chooses the bucket; a large one counts as a batch before it is read, and an unreadable one as a request. */
async function readCounted(ctx: Context, endpoint: Endpoint): Promise<unknown> {
  let rateCheck: Promise<void> | undefined;
  const count = (bucket: BucketName) => {
    rateCheck ??= checkRate(ctx, endpoint, bucket);
    return rateCheck;
  };
  const body = await readBody(ctx, endpoint, () => count('batches')).catch(async (fault) => {
    await count('requests');
    throw fault;
  });
  await count(isObject(body) && Object.hasOwn(body, 'records') ? 'batches' : 'requests');
  return body;
}

/** The body as JSON. */
async function readBody(
  { request }: Context,
  endpoint: Endpoint,
  onLarge?: () => Promise<void>,
): Promise<unknown> {
  try {
    return await readJson(request, onLarge);
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    const { reason, message } = error;
    throw new ApiError(endpoint.bodyCode ?? 'INVALID_PAYLOAD', message, { details: { reason } });
  }
}
