import { ERRORS, type ErrorCode } from '../../lib/errors.ts';

/** What a client should do on its own, by the retry rules of the contract; Markdown. */
export function retryAdvice(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code];
  if (code === 'ALREADY_CAPTURED') return 'Nothing to retry: the lead is there.';
  if (code === 'PIPELINE_FAILED')
    return 'Look at `details.retryable`. When it is `false`, correct the record first. When it is `true`, send the same record again after a few seconds.';
  if (status === 429)
    return 'Wait the seconds in `Retry-After`. Without that header: 1 second plus up to 500 ms of random jitter, then twice as long each time, at most 60 seconds. Give up after 5 attempts and log it.';
  if (status >= 500)
    return 'Send the same request again, up to 3 times, with exponential backoff, and not before `Retry-After`. With an `Idempotency-Key`, a write that did get through is not done twice. If it persists, contact support and quote the `x-request-id`.';
  if (retryable)
    return 'Send the same record again after a few seconds. Nothing of it was stored, and repeating it does no harm.';
  return status === 422
    ? 'Do not send the same record again. Correct it first.'
    : 'Do not send the same request again. Correct it first.';
}
