import { createHash } from 'node:crypto';
import type { Sql, Statement } from '../db/sql.ts';
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
  const clientKey = endpoint.idempotent && !isDryRun(input) ? ctx.request.headers.get(HEADER) : null;
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';
  const run = (context: Context) => endpoint.handle({ ...input, ctx: context });
  if (clientKey === null) return run(ctx);
  if (!KEY_SHAPE.test(clientKey)) throw malformed(code);
  // Behind the id of the API key: another key of the account has answers of its own.
  const key = `${ctx.principal?.callerId} ${clientKey}`;
  const about = `idempotency/${key}`;
  const fingerprint = fingerprintFor(endpoint, input);
  const { secrets } = ctx.ports;
  const { id } = requireAccount(ctx);
  const answerIn = async (db: Sql, isOptimistic: boolean) => {
    const [claimed] = await db.query(CLAIM, [id, key, fingerprint]);
    if (!claimed) {
      // In a statement of its own, which sees what the request that it waited for has kept.
      const [storedAnswer] = await db.query<KeptAnswer>(KEPT, [id, key]);
      if (storedAnswer?.fingerprint !== fingerprint) throw usedBefore(code);
      const body = isSealed(storedAnswer.body)
        ? await secrets.open(storedAnswer.body, about)
        : storedAnswer.body;
      return { status: storedAnswer.status, body, headers: { 'Idempotent-Replayed': 'true' } };
    }
    const answer = await run(ctx.on({ ...ctx.ports, db, isOptimistic }));
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    // A webhook's signing secret is in the clear in no table.
    const text = body.includes('"lead_webhook_secret"') ? await secrets.seal(body, about) : body;
    if (answer.keep === false) await db.query(DROP, [id, key]);
    else await db.query(KEEP, [id, key, answer.status, text]);
    return { ...answer, body };
  };
  const attempt = (isOptimistic: boolean) =>
    ctx.ports.db.transaction((db) => answerIn(db, isOptimistic), 'ingest');
  return attempt(true).catch((error: unknown) => {
    if (!(error instanceof WriteConflict)) throw error;
    return attempt(false);
  });
}

interface KeptAnswer {
  status: number;
  body: string;
  fingerprint: string;
}

const SHAPE = '1 to 255 printable ASCII characters';
const malformed = (code: ErrorCode) =>
  new ApiError(code, `${HEADER} must be ${SHAPE}.`, {
    details: { field: HEADER, reason: 'malformed', fix: `Send ${SHAPE} in ${HEADER}.` },
  });

const usedBefore = (code: ErrorCode) =>
  new ApiError(code, `This ${HEADER} was used with another request within 24 hours; use a new one.`, {
    details: { field: HEADER, reason: 'reused_with_another_request' },
  });

/** Waits for a concurrent request with the key; takes over what has expired. Returns no row for a key that is taken. */
const CLAIM: Statement = {
  text: `
    insert into idempotency_keys as k (account_id, key, fingerprint) values ($1, $2, $3)
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, body = null, created_at = excluded.created_at
      where excluded.created_at - k.created_at > interval '24 hours'
    returning key`,
};

const KEPT: Statement = {
  text: 'select status, body, fingerprint from idempotency_keys where account_id = $1 and key = $2',
};

const KEEP: Statement = {
  text: 'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
};

const DROP: Statement = { text: 'delete from idempotency_keys where account_id = $1 and key = $2' };

/** Of the answers of an account; the oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Deletes what nobody may replay any more; returns how many. */
export async function sweepIdempotencyKeys(db: Sql, maxBytes = MAX_BYTES): Promise<number> {
  const [row] = await db.query<{ swept: number }>(SWEEP, [maxBytes]);
  return row?.swept ?? 0;
}

const SWEEP: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ with sized as (
      select account_id, key, created_at < now() - interval '24 hours' as is_old,
        sum(octet_length(body)) over (partition by account_id order by created_at desc, key) as kept
      from idempotency_keys
    ), swept as (
      delete from idempotency_keys k using sized s
      where k.account_id = s.account_id and k.key = s.key and (s.is_old or s.kept > $1::bigint)
      returning 1
    )
    select count(*)::int as swept from swept`,
};

/** A dry run stores nothing, so it leaves the key free for the real request. */
function isDryRun({ query }: Input): boolean {
  return (query as { dry_run?: boolean } | undefined)?.dry_run === true;
}

function fingerprintFor(endpoint: Endpoint, input: Input): string {
  const { params, query, body } = input;
  const text = canonicalJson({ route: endpoint.id, params: params ?? null, query: query ?? null, body });
  return createHash('sha256').update(text).digest('hex');
}
