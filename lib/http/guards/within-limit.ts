import { ApiError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { BodyFault, readJson } from '../input/body.ts';
import type { RequestState } from '../request-state.ts';
import { countLargeBody, takeFromBucket } from './rate-limit.ts';
import { checkBodies } from './widget.ts';

/**
 * The limit comes before the body is read, unless the body chooses the bucket. A remote limiter is asked beside a read;
 * a write waits for its verdict.
 */
export async function withinLimit<Result>(
  state: RequestState,
  endpoint: Endpoint,
  work: (body: unknown) => Promise<Result>,
): Promise<Result> {
  if (endpoint.bucketByBody) {
    const body = await readBody(state, endpoint).catch(async (fault) => {
      if (fault.code !== 'RATE_LIMITED') await takeFromBucket(state, endpoint);
      throw fault;
    });
    await takeFromBucket(state, endpoint, body);
    return work(body);
  }
  const admitted = takeFromBucket(state, endpoint);
  if (state.ports.limiter.local || endpoint.method !== 'GET') {
    await admitted;
    return work(await readBody(state, endpoint));
  }
  const [limit, result] = await Promise.allSettled([admitted, work(undefined)]);
  if (limit.status === 'rejected') throw limit.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The body as JSON; undefined where the endpoint takes none. */
async function readBody(state: RequestState, endpoint: Endpoint): Promise<unknown> {
  const { request, principal } = state;
  if (!endpoint.body) return undefined;
  if (principal?.kind === 'publishable') await checkBodies(state);
  try {
    return await readJson(request, async () => {
      if (endpoint.bucketByBody) await countLargeBody(state);
    });
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    const { reason, message } = error;
    throw new ApiError(endpoint.bodyCode ?? 'INVALID_PAYLOAD', message, { details: { reason } });
  }
}
