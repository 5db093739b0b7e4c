import { ApiError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { countLargeBody } from '../guards/rate-limit.ts';
import { checkBodies } from '../guards/widget.ts';
import type { RequestState } from '../request-state.ts';
import { BodyFault, readJson } from './body.ts';

/** The body as JSON; undefined where the endpoint takes none. */
export async function readBody(state: RequestState, endpoint: Endpoint): Promise<unknown> {
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
