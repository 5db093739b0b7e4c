import { ErrorEnvelope } from '../contract/errors.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { BUCKETS, type BucketName } from '../services/fair-use.ts';
import type { Endpoint } from './endpoint.ts';
import { ALL_STAGE_CODES } from './endpoint-facts.ts';
import { type JsonObject, reference, type SchemaConverter, schemaConverter } from './json-schema.ts';

/** The `responses` of an operation: successes from the endpoint's schemas, refusals from the error catalogue. */

/** A real call and its answer, for the `examples` of the document. */
export interface ExampleCall {
  name: string;
  summary: string;
  /** JSON body as sent; undefined: none, or not JSON. */
  request?: unknown;
  status: number;
  /** JSON body as answered; undefined: none. */
  answer?: unknown;
  /** Of an error answer. */
  code?: ErrorCode;
}

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

const REQUEST_ID = { 'x-request-id': text('Quote it when you contact support.', 'req_Vt3kq0ZbWmXy7cLpR2aN') };
const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
};

function limitHeaders(buckets: readonly BucketName[]): JsonObject {
  const [first] = buckets;
  if (first === undefined) return {};
  const { name, limit, windowSeconds } = BUCKETS[first];
  return {
    RateLimit: text(
      'Calls left, and seconds until the window is empty again; absent where no key is counted.',
      `"${name}";r=${limit - 1};t=60`,
    ),
    'RateLimit-Policy': text('The fair-use ceiling of this call.', `"${name}";q=${limit};w=${windowSeconds}`),
  };
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; Location is where to look for the outcome.',
  204: 'Done; no body.',
  304: 'Nothing changed since the version you hold; no body.',
};

/** Answers of success, by status. */
export function successResponses(
  endpoint: Endpoint,
  schemas: SchemaConverter,
  buckets: readonly BucketName[],
  examples: readonly ExampleCall[],
): JsonObject {
  const etag =
    304 in endpoint.answers ? { ETag: text('Version of the record.', '"9fC1xQ0kT7mJ2sVbL4aZyRd8uEg"') } : {};
  const replayed = endpoint.idempotent
    ? { 'Idempotent-Replayed': text('`true` when answered from memory under an Idempotency-Key.', 'true') }
    : {};
  const own = Object.entries(endpoint.headers ?? {}).map(([name, about]) => [name, text(...about)]);
  const common = {
    ...REQUEST_ID,
    ...limitHeaders(buckets),
    ...etag,
    ...replayed,
    ...Object.fromEntries(own),
  };
  const answers = Object.entries(endpoint.answers).map(([status, schema]) => {
    const description = SUCCESS_DESCRIPTIONS[Number(status)] ?? 'Done.';
    const headers =
      status === '202'
        ? { ...common, Location: text('Where the outcome is read.', '/v1/feeds/feed_1/runs/run_1') }
        : common;
    const files: JsonObject = {};
    if (endpoint.media && status === '200') {
      const binary = { schema: { type: 'string', format: 'binary' } };
      Object.assign(files, Object.fromEntries(endpoint.media.map((type) => [type, binary])));
    }
    if (endpoint.stream && status === '200')
      files[endpoint.stream.type] = { schema: schemas.convert(endpoint.stream.event, 'output') };
    if (schema === null)
      return [
        status,
        { description, headers, ...(endpoint.media && status === '200' ? { content: files } : {}) },
      ];
    const matching = examples.filter(
      (example) => example.status === Number(status) && example.answer !== undefined,
    );
    const content = { schema: schemas.convert(schema, 'output'), ...toExamples(matching) };
    return [status, { description, headers, content: { 'application/json': content, ...files } }];
  });
  return Object.fromEntries(answers);
}

/** Codes that mean the same on every route. */
const SHARED: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHORIZED: 'Unauthorized',
  FORBIDDEN: 'Forbidden',
  RATE_LIMITED: 'RateLimited',
  INTERNAL_ERROR: 'InternalError',
};

/** `components.responses`: the shared refusals, and the wrong method that every path answers alike. */
export function sharedResponses(examples: readonly ExampleCall[]): JsonObject {
  const shared = Object.entries(SHARED).map(([code, name]) => {
    const [first] = examples.filter((example) => example.code === code);
    // A key is counted before anything but itself is refused.
    const buckets = code === 'UNAUTHORIZED' ? [] : (['requests'] as const);
    return [name, toResponseObject([code as ErrorCode], buckets, first ? [first] : [])];
  });
  const [wrongMethod] = examples.filter(({ status }) => status === 405);
  const Allow = text('The methods of the path.', 'GET, HEAD');
  const notAllowed = {
    description: '`NOT_FOUND`: the path has no such method; Allow names those it has.',
    headers: { ...REQUEST_ID, Allow },
    content: {
      'application/json': { schema: reference('Error'), ...toExamples(wrongMethod ? [wrongMethod] : []) },
    },
  };
  return { ...Object.fromEntries(shared), MethodNotAllowed: notAllowed };
}

/** Refusals by status; several codes may share one. */
export function errorResponses(
  codes: readonly ErrorCode[],
  buckets: readonly BucketName[],
  examples: readonly ExampleCall[],
): JsonObject {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  const responses = statuses.map((status) => {
    const own = codes.filter((code) => ERRORS[code].status === status);
    const [only] = own;
    const shared = own.length === 1 && only ? SHARED[only] : undefined;
    if (shared) return [String(status), reference(shared, 'responses')];
    const matching = examples.filter(({ code }) => code !== undefined && own.includes(code));
    return [String(status), toResponseObject(own, buckets, matching)];
  });
  return Object.fromEntries([...responses, ['405', reference('MethodNotAllowed', 'responses')]]);
}

function toResponseObject(
  codes: readonly ErrorCode[],
  buckets: readonly BucketName[],
  examples: readonly ExampleCall[],
): JsonObject {
  const waits = codes.some((code) => code === 'RATE_LIMITED' || code === 'INTERNAL_ERROR');
  const challenge = codes.includes('UNAUTHORIZED') ? { 'WWW-Authenticate': text('`Bearer`.', 'Bearer') } : {};
  return {
    description: codes.map(describeCode).join('\n\n'),
    headers: { ...REQUEST_ID, ...limitHeaders(buckets), ...(waits ? RETRY_AFTER : {}), ...challenge },
    content: { 'application/json': { schema: toErrorSchema(codes), ...toExamples(examples) } },
  };
}

function describeCode(code: ErrorCode): string {
  const { when, fix } = ERRORS[code];
  const line = `\`${code}\`: ${when} ${fix}`;
  if (code !== 'PIPELINE_FAILED') return line;
  const stages = ALL_STAGE_CODES.map((stageCode) => `- \`${stageCode}\`: ${ERRORS[stageCode].when}`);
  return `${line}\n\nCodes of the stages:\n\n${stages.join('\n')}`;
}

function toErrorSchema(codes: readonly ErrorCode[]): JsonObject {
  const isReject = codes.includes('PIPELINE_FAILED');
  return envelopeSchema(
    { type: 'string', enum: codes },
    isReject ? { details: reference('RejectDetails') } : {},
  );
}

/** The envelope of the contract, its code and whatever else is known of `error` filled in. */
export function envelopeSchema(code: JsonObject, known: JsonObject = {}): JsonObject {
  const schemas = schemaConverter();
  schemas.convert(ErrorEnvelope, 'output');
  const { description: _, ...envelope } = structuredClone(schemas.components.get('Error') ?? {});
  const { error } = envelope.properties as { error: { properties: JsonObject } };
  Object.assign(error.properties, { code }, known);
  return envelope;
}

function toExamples(matching: readonly ExampleCall[]): JsonObject {
  if (matching.length === 0) return {};
  return {
    examples: Object.fromEntries(
      matching.map(({ name, summary, answer }) => [name, { summary, value: answer }]),
    ),
  };
}
