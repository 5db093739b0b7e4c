import { createHash } from 'node:crypto';
import type { StorePorts } from '../db/store.ts';
import { ApiError } from '../errors.ts';
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
export async function answerOnce(
  endpoint: Endpoint,
  ctx: Context,
  input: Input,
  request: Request,
): Promise<Answer> {
  const key = endpoint.idempotent && !isDryRun(input) ? request.headers.get(HEADER) : null;
  const run = (own: Context, prepared: unknown) => endpoint.handle({ ...input, ctx: own, prepared });
  if (key === null) return run(ctx, await endpoint.prepare?.({ ...input, ctx }));
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';
  if (!KEY_SHAPE.test(key))
    throw new ApiError(code, `${HEADER} must be 1 to 255 printable ASCII characters.`, {
      details: {
        field: HEADER,
        reason: 'malformed',
        fix: `Send 1 to 255 printable ASCII characters in ${HEADER}.`,
      },
    });
  const own = `${ctx.principal?.keyId} ${key}`;
  const call = { endpoint, ctx, input, key: own, fingerprint: fingerprintFor(endpoint, input) };
  const prepared = await endpoint.prepare?.({ ...input, ctx });
  const answerIn = async (bound: StorePorts) => {
    const replayed = await claim(call, bound);
    if (replayed) return replayed;
    const answer = await run(ctx.on({ ...ctx.ports, ...bound }), prepared);
    return keep(call, bound, answer);
  };
  const { store } = ctx.ports;
  return store
    .transaction((bound) => answerIn({ ...bound, isOptimistic: true }))
    .catch((error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error;
      return store.transaction(answerIn);
    });
}

interface Call {
  endpoint: Endpoint;
  ctx: Context;
  input: Input;
  /** Behind the id of the API key: another key of the account has answers of its own. */
  key: string;
  fingerprint: string;
}

/** The answer that is kept under the key; null when there is none, and the key is the caller's now. */
async function claim({ endpoint, ctx, key, fingerprint }: Call, bound: StorePorts): Promise<Answer | null> {
  const kept = await bound.idempotency.of(requireAccount(ctx).id).claim(key, fingerprint);
  if (kept === 'claimed') return null;
  if (kept === 'mismatch')
    throw new ApiError(
      endpoint.bodyCode ?? 'INVALID_PAYLOAD',
      `This ${HEADER} was used with another request within 24 hours; use a new one.`,
      { details: { field: HEADER, reason: 'reused_with_another_request' } },
    );
  const body = await unsealed(ctx, kept.body, key);
  return { status: kept.status, body, headers: { 'Idempotent-Replayed': 'true' } };
}

async function keep({ ctx, key }: Call, bound: StorePorts, answer: Answer): Promise<Answer> {
  const kept = bound.idempotency.of(requireAccount(ctx).id);
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  if (answer.keep === false) await kept.drop(key);
  else await kept.keep(key, { status: answer.status, body: await sealed(ctx, body, key) });
  return { ...answer, body };
}

/** A dry run stores nothing, so it leaves the key free for the real request. */
function isDryRun({ query }: Input): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true;
}

/** A webhook's signing secret is in the clear in no table. */
async function sealed({ ports }: Context, body: string, key: string): Promise<string> {
  return body.includes('"lead_webhook_secret"') ? ports.secrets.seal(body, toAbout(key)) : body;
}

async function unsealed({ ports }: Context, kept: string, key: string): Promise<string> {
  return isSealed(kept) ? ports.secrets.open(kept, toAbout(key)) : kept;
}

const toAbout = (key: string) => `idempotency/${key}`;

function fingerprintFor(endpoint: Endpoint, input: Input): string {
  const { params, query, body } = input;
  const text = canonicalJson({ route: endpoint.id, params: params ?? null, query: query ?? null, body });
  return createHash('sha256').update(text).digest('hex');
}
