import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import { ApiError } from '../errors.ts';
import type { Context } from '../services/context.ts';
import { requireAccount } from '../services/context.ts';
import type { Answer, Endpoint, ParsedInput } from './endpoint.ts';

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
  input: ParsedInput,
  request: Request,
): Promise<Answer> {
  const key = endpoint.idempotent && !isDryRun(input) ? request.headers.get(HEADER) : null;
  if (key === null) return endpoint.run(ctx, input, await endpoint.prepare(ctx, input));
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';
  if (!KEY_SHAPE.test(key))
    throw new ApiError(code, `${HEADER} must be 1 to 255 printable ASCII characters.`, {
      details: { field: HEADER, reason: 'malformed' },
    });
  const fingerprint = fingerprintFor(endpoint, input);
  const { id } = requireAccount(ctx);
  const prepared = await endpoint.prepare(ctx, input);
  return ctx.ports.store.transaction(async (bound) => {
    const kept = bound.idempotency.of(id);
    const claim = await kept.claim(key, fingerprint);
    if (claim === 'mismatch')
      throw new ApiError(
        code,
        `This ${HEADER} was used with another request within 24 hours; use a new one.`,
        {
          details: { field: HEADER, reason: 'reused_with_another_request' },
        },
      );
    if (claim !== 'claimed')
      return {
        status: claim.status,
        body: await unsealed(ctx, claim.body, key),
        headers: { 'Idempotent-Replayed': 'true' },
      };
    const answer = await endpoint.run(ctx.on({ ...ctx.ports, ...bound }), input, prepared);
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    if (answer.keep === false) await kept.drop(key);
    else await kept.keep(key, { status: answer.status, body: await sealed(ctx, body, key) });
    return { ...answer, body };
  });
}

/** A dry run stores nothing, so it leaves the key free for the real request. */
function isDryRun({ query }: ParsedInput): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true;
}

/** A webhook's signing secret is in the clear in no table. */
async function sealed({ ports }: Context, body: string, key: string): Promise<string> {
  return body.includes('"lead_webhook_secret"') ? ports.secrets.seal(body, toAbout(key)) : body;
}

/** JSON text begins otherwise than what is sealed. */
async function unsealed({ ports }: Context, kept: string, key: string): Promise<string> {
  return kept.startsWith('v1.') ? ports.secrets.open(kept, toAbout(key)) : kept;
}

const toAbout = (key: string) => `idempotency/${key}`;

function fingerprintFor(endpoint: Endpoint, input: ParsedInput): string {
  const { params, query, body } = input;
  const text = canonicalJson({ route: endpoint.id, params: params ?? null, query: query ?? null, body });
  return createHash('sha256').update(text).digest('hex');
}
