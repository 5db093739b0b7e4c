import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import type { Limiter, Quota, Verdict } from '../../ports/limits.ts';
import { abortAfter } from '../system/within.ts';
import { toVerdict } from './sliding-log.ts';
import { SLIDING_LOG } from './sliding-log-lua.ts';

/** Of the first call; `guardedLimiter` waits less for those after it. */
const ANSWER_MS = 400;
/** A health check may take its time. */
const PING_MS = 2000;

type Algorithm = ConstructorParameters<typeof Ratelimit>[0]['limiter'];
type Judgement = Awaited<ReturnType<ReturnType<Algorithm>['limit']>>;
type Script = { exec(keys: string[], args: string[]): Promise<number[]> };

export interface UpstashConfig {
  /** UPSTASH_REDIS_REST_URL and its token. */
  url: string;
  token: string;
  /** Of every key; default `ctis`. */
  prefix?: string;
  /** Milliseconds a round trip may take. */
  answerMs?: number;
}

/** Redis gave no verdict. The message names no subject, key or token, so that it can be logged. */
export class LimiterUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LimiterUnavailable';
  }
}

/** The limiter behind `upstashLimiter`, with the Upstash packages it needs. Throws `LimiterUnavailable`. */
export function connectUpstash(config: UpstashConfig): Limiter {
  const redis = client(config, config.answerMs ?? ANSWER_MS);
  const patient = client(config, PING_MS);
  const script = redis.createScript<number[]>(SLIDING_LOG);

  async function ask(quota: Quota, question: (ratelimit: Ratelimit) => Promise<object>): Promise<Verdict> {
    await endOfTurn();
    const ratelimit = new Ratelimit({
      redis,
      prefix: `${config.prefix ?? 'ctis'}:fair-use`,
      limiter: slidingLog(script, quota),
      // Its own timeout lets the call pass, and everything else would be traffic beside the one call.
      timeout: 0,
      ephemeralCache: false,
      analytics: false,
      enableProtection: false,
      dynamicLimits: false,
      enableTelemetry: false,
    });
    const response = await unavailableOnError(() => question(ratelimit));
    if (!isJudged(response)) throw new LimiterUnavailable('no verdict');
    return response.verdict;
  }

  async function ping(): Promise<number> {
    const started = performance.now();
    await unavailableOnError(() => patient.ping());
    return performance.now() - started;
  }

  return {
    local: false,
    take: (quota, subject) => ask(quota, (ratelimit) => ratelimit.limit(toIdentifier(quota, subject))),
    look: (quota, subject) => ask(quota, (ratelimit) => ratelimit.getRemaining(toIdentifier(quota, subject))),
    ping,
  };
}

let turn: Promise<void> | null = null;

/** One promise for all who wait: the client joins what is asked for at once, and requests of one turn come one by one. */
function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}

function client({ url, token }: UpstashConfig, ms: number): Redis {
  return new Redis({
    url,
    token,
    // `retry: false` would still try twice (1.39: attempts 1, counted from 0).
    retry: { retries: 0 },
    // A function makes an abort throw; a bare signal makes it look like an answer.
    signal: () => abortAfter(ms),
    enableAutoPipelining: true,
    enableTelemetry: false,
    readYourWrites: false,
  });
}

/** No two quotas or subjects share a log: the encoded name holds no colon, the subject comes last. */
function toIdentifier(quota: Quota, subject: string): string {
  return `${encodeURIComponent(quota.name)}:${quota.windowSeconds}:${subject}`;
}

/** The algorithm for the genuine `Ratelimit` class; its answers carry the whole verdict. */
export function slidingLog(script: Script, { limit, windowSeconds }: Quota): Algorithm {
  async function run(key: string, mode: 'take' | 'look'): Promise<Judgement & { verdict: Verdict }> {
    const args = [String(limit), String(windowSeconds * 1_000_000), mode === 'take' ? '1' : '0'];
    const [admitted = Number.NaN, remaining = 0, resetUs = 0, retryUs = 0] = await script.exec([key], args);
    if (![admitted, remaining, resetUs, retryUs].every(Number.isFinite)) {
      throw new LimiterUnavailable('not an answer of the script');
    }
    const verdict = toVerdict(admitted === 1, remaining, resetUs / 1000, retryUs / 1000);
    const reset = Date.now() + resetUs / 1000;
    return { success: verdict.allowed, limit, remaining, reset, pending: Promise.resolve(), verdict };
  }
  return () => ({
    limit: (_context, key) => run(key, 'take'),
    getRemaining: (_context, key) => run(key, 'look'),
    resetTokens: async (context, key) => void (await context.redis.del(key)),
  });
}

function isJudged(response: object): response is { verdict: Verdict } {
  return 'verdict' in response;
}

async function unavailableOnError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new LimiterUnavailable(describeFailure(error));
  }
}

/** The client appends the whole command, subject included, to what Redis said. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const cause = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  const [said = ''] = error.message.split(', command was: ');
  return `${said.slice(0, 120)}${cause}`;
}
