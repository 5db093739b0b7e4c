import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { BucketName } from '../guards/fair-use.ts';
import type { Convert, JsonObject } from './json-schema.ts';

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

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

/** `components.headers`. */
export const HEADERS = {
  'x-request-id': header('Quote it when you contact support.', 'req_Vt3kq0ZbWmXy7cLpR2aN'),
  RateLimit: header(
    'Calls left (`r`), and seconds until all are available again (`t`; with 429: until the next is admitted). Absent if no key is counted.',
    '"requests";r=12;t=34',
  ),
  'RateLimit-Policy': header('The fair-use ceiling of this call.', '"requests";q=60;w=60'),
  ETag: header('Version of the record, where it has one.', '"9fC1xQ0kT7mJ2sVbL4aZyRd8uEg"'),
  'Idempotent-Replayed': header(
    '`true` when the answer stored under the Idempotency-Key was returned.',
    'true',
  ),
  Location: header('With 202: the address of the outcome.', '/v1/feeds/feed_1/runs/run_1'),
  'Retry-After': header('With 429 and 5xx: whole seconds to wait.', '12'),
  Allow: header('With 405: the methods of the path.', 'GET, HEAD'),
  'WWW-Authenticate': header('With 401: `Bearer`.', 'Bearer'),
};

const refer = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const OF_ANY = ['x-request-id', 'RateLimit', 'RateLimit-Policy'] as const;
const OF_SUCCESS = refer(...OF_ANY, 'ETag', 'Idempotent-Replayed', 'Location');
const OF_REFUSAL = refer(...OF_ANY, 'Retry-After', 'Allow', 'WWW-Authenticate');

/** The buckets a call may count in; on widget routes with a secret key. */
export function listBuckets({ bucket, widget }: Endpoint): BucketName[] {
  if (bucket === 'by_body') return ['requests', 'batches'];
  return bucket ? [bucket] : widget ? ['requests'] : [];
}

/** Declared codes and those that guard and limiter bring, in the catalogue's order. */
export function listCodes({ errors, guard, operatorOnly }: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, 'INVALID_PARAMS', 'INTERNAL_ERROR']);
  if (guard !== 'anyone' || operatorOnly) codes.add('UNAUTHORIZED').add('RATE_LIMITED');
  if (guard === 'secret-key' || guard === 'widget') codes.add('FORBIDDEN');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  201: 'Created.',
  202: 'Accepted; `Location` is the address of the outcome.',
  204: 'Done; no body.',
  304: 'Unchanged since the version you hold; no body.',
};

/** Codes by status; a wrong method has the code of what is absent. `name`: in `components.responses`. */
const listRefusals = (endpoint: Endpoint) =>
  Object.entries<ErrorCode[]>({
    ...Object.groupBy(listCodes(endpoint), (code) => ERRORS[code].status),
    405: ['NOT_FOUND'],
  }).map(([status, codes]) => ({ status, codes, name: [status, ...codes].join('.') }));

export function describeResponses(
  endpoint: Endpoint,
  convert: Convert,
  examples: readonly ExampleCall[],
): JsonObject {
  const { answers, headers = {}, media = [], stream } = endpoint;
  const refusals = listRefusals(endpoint).map(({ status, name }) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  const routeHeaders = Object.entries(headers).map(([name, about]) => [name, header(...about)]);
  const files = media.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  const successes = Object.entries(answers).map(([status, schema]) => {
    const calls = examples.filter((example) => String(example.status) === status);
    const content = {
      ...(schema
        ? { 'application/json': { schema: convert(schema, 'answer'), examples: toExamples(calls, 'answer') } }
        : {}),
      ...(status === '200' ? Object.fromEntries(files) : {}),
      ...(stream ? { [stream.type]: { schema: convert(stream.event, 'answer') } } : {}),
    };
    const described = {
      description: SUCCESS_DESCRIPTIONS[status] ?? 'Done.',
      headers: { ...OF_SUCCESS, ...Object.fromEntries(routeHeaders) },
      content,
    };
    return [status, described] as const;
  });
  return Object.fromEntries([...refusals, ...successes]);
}

/** `components.responses`: what these endpoints refuse, each combination of codes once. */
export const describeRefusals = (endpoints: readonly Endpoint[], examples: readonly ExampleCall[]) =>
  Object.fromEntries(
    endpoints.flatMap(listRefusals).map(({ status, codes, name }) => {
      const calls = examples.filter((call) => String(call.status) === status);
      return [name, describeRefusal(codes, calls)];
    }),
  );

function describeRefusal(codes: readonly ErrorCode[], calls: readonly ExampleCall[]): JsonObject {
  const details = codes.includes('PIPELINE_FAILED')
    ? { $ref: '#/components/schemas/RejectDetails' }
    : undefined;
  // Open, since the members that it does not name are those of Error.
  const open = { type: 'object', additionalProperties: true };
  const error = { ...open, properties: { code: { enum: codes }, details } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { ...open, properties: { error } }] };
  const firsts = codes.flatMap((code) => calls.filter((call) => call.code === code).slice(0, 1));
  return {
    description: codes.map(describeCode).join('\n\n'),
    headers: OF_REFUSAL,
    content: { 'application/json': { schema, examples: toExamples(firsts, 'answer') } },
  };
}

const describeCode = (code: ErrorCode) => `\`${code}\`: ${ERRORS[code].when} ${ERRORS[code].fix}`;

/** Undefined where there is none with such a body. */
export function toExamples(calls: readonly ExampleCall[], part: 'request' | 'answer') {
  const examples = calls
    .filter((call) => call[part] !== undefined)
    .map(({ name, summary, [part]: value }) => [name, { summary, value }]);
  return examples.length > 0 ? Object.fromEntries(examples) : undefined;
}
