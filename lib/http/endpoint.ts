import type * as z from 'zod/mini';
import type { Scope } from '../accounts/access.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Quota } from '../limiter/limits.ts';
import type { Context } from './context.ts';
import type { BucketName } from './guards/fair-use.ts';
import type { Tag } from './guards/scopes.ts';
import { refuseDryRun, refuseNearMiss } from './input/near-misses.ts';
import { toParameters } from './input/query.ts';
import { toSchemaIssues } from './input/schema-issues.ts';

/**
 * Who may call: a secret API key, any API key (`widget`: a publishable one from the origins on its list), the operator
 * (ADMIN_TOKEN), the platform's cron (CRON_SECRET), or anyone.
 */
export type Guard = 'secret-key' | 'widget' | 'operator' | 'cron' | 'anyone';

/** What a widget route is about, and how it is protected from whoever holds the publishable key: the public. */
export interface WidgetRules<Input> {
  /** The dealer asked about; FORBIDDEN unless it is one of the account's. */
  readDealer(input: Input): string;
  /** Calls an address may make with a publishable key. */
  perAddress: Quota;
  /** Known bots with a publishable key. */
  bots: 'refused' | 'served';
}

/** What `handle` gets: the parsed input, and the context services work in. */
export interface Call<Params, Query, Body> {
  ctx: Context;
  params: Params;
  query: Query;
  body: Body;
}

/**
 * What `handle` answers. A string body is JSON text, passed through; bytes are of the endpoint's `media`; pieces of text
 * are streamed as they come, with a Content-Type among `headers`, and the log line is written at their end.
 */
export interface Answer {
  status: number;
  body: object | string | Uint8Array | AsyncIterable<string>;
  headers?: Readonly<Record<string, string>>;
  /** False: worth trying again as it is, so an Idempotency-Key must not pin it. */
  keep?: boolean;
}

export type Schema = z.ZodMiniType;
export type Output<S> = S extends Schema ? z.output<S> : undefined;

/**
 * One route as a plain object: the server, the OpenAPI document, the docs and the generated tests are all made
 * from it.
 */
export interface EndpointOptions<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> {
  /** Operation id. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With {placeholders}; `/v1/…` and `/media/…` paths are served below `/api` too. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  guard: Guard;
  /** A query parameter that, set to 1, is the operator's alone. */
  operatorOnly?: string;
  /** Of routes with the guard `widget`. */
  widget?: WidgetRules<{ query: Output<Q>; body: Output<B> }>;
  /** The scope that a key needs beside that of the tag. */
  scope?: Scope;
  /** True where a key for one dealer sees and changes that dealer’s only; elsewhere such a key is FORBIDDEN. */
  boundToDealer?: true;
  /** `pro`: TIER_RESTRICTED for accounts below Pro. */
  tier?: 'pro';
  /** Bucket of the call; `by_body`: `batches` for a body with `records`, `requests` for every other. */
  bucket?: BucketName | 'by_body';
  params?: P;
  /** Code for a bad path parameter. */
  paramsCode?: ErrorCode;
  query?: Q;
  body?: B;
  /** Code for a body that is no JSON object, too large, or fails the schema. */
  bodyCode?: ErrorCode;
  /** Checks that answer a code of their own, in order; each throws ApiError. They run before the schema. */
  precheck?: (body: unknown) => void;
  /** A write that honours Idempotency-Key. */
  idempotent?: boolean;
  /** Codes this route may answer with, beyond those its guard and bucket bring. */
  errors: readonly ErrorCode[];
  /** Schemas of the successful answers by status; null has no JSON body. */
  answers: Readonly<Record<number, Schema | null>>;
  /** Content types of successful answers that are not JSON. */
  media?: readonly string[];
  /** Headers of successful answers that are this route's own, each with what it says and an example. */
  headers?: Readonly<Record<string, readonly [description: string, example: string]>>;
  /** Content type of the stream that the answer is when the caller prefers it, and what one of its events is. */
  stream?: { type: string; event: Schema };
  handle(call: Call<Output<P>, Output<Q>, Output<B>>): Promise<Answer>;
}

/** An endpoint whose input types no longer matter to the caller. */
export type Endpoint = EndpointOptions<Schema, Schema, Schema>;

/** Declares an endpoint; input types flow from the schemas into `handle`. */
export const endpoint = <
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  options: EndpointOptions<P, Q, B>,
): Endpoint => options as Endpoint;

export type Input = Omit<Call<unknown, unknown, unknown>, 'ctx'>;

/** The parts of a request as the endpoint's schemas read them; throws ApiError. */
export function parseInput(
  endpoint: Endpoint,
  raw: { params: Record<string, string>; query: URLSearchParams; body: unknown },
): Input {
  const { bodyCode = 'INVALID_PAYLOAD', paramsCode = 'INVALID_PARAMS' } = endpoint;
  const params = endpoint.params && parseWith(endpoint.params, raw.params, paramsCode);
  const parameters = toParameters(raw.query, endpoint);
  const query = endpoint.query && parseWith(endpoint.query, parameters, 'INVALID_PARAMS');
  if (!endpoint.body) return { params, query, body: undefined };
  refuseDryRun(raw.body, bodyCode);
  endpoint.precheck?.(raw.body);
  // Before the schema: it would call the member that was meant missing.
  refuseNearMiss(endpoint.body, raw.body, bodyCode);
  return { params, query, body: parseWith(endpoint.body, raw.body, bodyCode) };
}

/** The value as the schema reads it; throws this code, naming what is wrong. */
export function parseWith<S extends Schema>(schema: S, value: unknown, code: ErrorCode): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = toSchemaIssues(parsed.error.issues);
  const [first] = issues;
  if (!first) throw new Error('a schema refused a value without saying why');
  const { field, fix, ...rest } = first;
  const message = rest.reason === 'missing' && field !== '' ? `${field} is missing.` : fix;
  throw new ApiError(code, message, {
    details: { ...rest, ...(field === '' ? {} : { field }), fix, issues },
  });
}
