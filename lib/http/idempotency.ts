import { createHash } from 'node:crypto';
import type { StorePorts } from '../db/store.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { WriteConflict } from '../outside/faults.ts';
import { isSealed } from '../outside/files.ts';
import { canonicalJson } from '../truck/text/canonical-json.ts';
import type { Context } from './context.ts';
import { requireAccount } from './context.ts';
import type { Answer, Endpoint, Input } from './endpoint.ts';

const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;
const HEADER = 'Idempotency-Key';

/**
 * Runs the endpoint; under an Idempotency-Key at most once in 24 hours. The work and the kept answer commit in one
 * transaction, so a crash leaves both or neither. Only final successes are kept: a refusal changed nothing, so the
 * corrected request may use the same key, and a batch with retryable rejects may be sent again under its own.
 */
export async function answerOnce(endpoint: Endpoint, ctx: Context, input: Input): Promise<Answer> {
  const sent = endpoint.idempotent && !isDryRun(input) ? ctx.request.headers.get(HEADER) : null;
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';
  if (sent !== null && !KEY_SHAPE.test(sent)) throw malformed(code);
  const prepared = await endpoint.prepare?.({ ...input, ctx });
  const run = (own: Context) => endpoint.handle({ ...input, ctx: own, prepared });
  if (sent === null) return run(ctx);
  // Behind the id of the API key: another key of the account has answers of its own.
  const key = `${ctx.principal?.keyId} ${sent}`;
  const about = `idempotency/${key}`;
  const fingerprint = fingerprintFor(endpoint, input);
  const { store, secrets } = ctx.ports;
  const answerIn = async (bound: StorePorts) => {
    const answers = bound.idempotency.of(requireAccount(ctx).id);
    const stored = await answers.claim(key, fingerprint);
    if (stored === 'mismatch') throw usedBefore(code);
    if (stored !== 'claimed') {
      const body = isSealed(stored.body) ? await secrets.open(stored.body, about) : stored.body;
      return { status: stored.status, body, headers: { 'Idempotent-Replayed': 'true' } };
    }
    const answer = await run(ctx.on({ ...ctx.ports, ...bound }));
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    // A webhook's signing secret is in the clear in no table.
    const text = body.includes('"lead_webhook_secret"') ? await secrets.seal(body, about) : body;
    if (answer.keep === false) await answers.drop(key);
    else await answers.keep(key, { status: answer.status, body: text });
    return { ...answer, body };
  };
  return store
    .transaction((bound) => answerIn({ ...bound, isOptimistic: true }))
    .catch((error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error;
      return store.transaction(answerIn);
    });
}

function malformed(code: ErrorCode): ApiError {
  const shape = '1 to 255 printable ASCII characters';
  return new ApiError(code, `${HEADER} must be ${shape}.`, {
    details: { field: HEADER, reason: 'malformed', fix: `Send ${shape} in ${HEADER}.` },
  });
}

function usedBefore(code: ErrorCode): ApiError {
  const message = `This ${HEADER} was used with another request within 24 hours; use a new one.`;
  return new ApiError(code, message, { details: { field: HEADER, reason: 'reused_with_another_request' } });
}

/** A dry run stores nothing, so it leaves the key free for the real request. */
function isDryRun({ query }: Input): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true;
}

function fingerprintFor(endpoint: Endpoint, input: Input): string {
  const { params, query, body } = input;
  const text = canonicalJson({ route: endpoint.id, params: params ?? null, query: query ?? null, body });
  return createHash('sha256').update(text).digest('hex');
}
