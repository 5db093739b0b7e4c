import { ERRORS, type ErrorCode, STAGE_CODES } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { BucketName } from '../guards/fair-use.ts';
import { type Convert, type JsonObject, reference } from './json-schema.ts';

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

const HEADERS = {
  'x-request-id': header('Quote it when you contact support.', 'req_Vt3kq0ZbWmXy7cLpR2aN'),
  RateLimit: header(
    'Calls left, and seconds until nothing is counted any more (of a 429: until the next call is admitted). Absent where no key is counted.',
    '"requests";r=12;t=34',
  ),
  'RateLimit-Policy': header('The fair-use ceiling of this call.', '"requests";q=60;w=60'),
  'Retry-After': header('Whole seconds to wait.', '12'),
  ETag: header('Version of the record.', '"9fC1xQ0kT7mJ2sVbL4aZyRd8uEg"'),
  'Idempotent-Replayed': header('`true` when answered from memory under an Idempotency-Key.', 'true'),
  Location: header('Where the outcome is read.', '/v1/feeds/feed_1/runs/run_1'),
  Allow: header('The methods of the path.', 'GET, HEAD'),
  'WWW-Authenticate': header('`Bearer`.', 'Bearer'),
};

/** The headers whose names are given; false is passed over. */
const pickHeaders = (...names: (keyof typeof HEADERS | false)[]) =>
  Object.fromEntries(names.flatMap((name) => (name ? [[name, HEADERS[name]]] : [])));

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

export function describeResponses(
  endpoint: Endpoint,
  convert: Convert,
  examples: readonly ExampleCall[],
): JsonObject {
  const successes = Object.keys(endpoint.answers).map((status) => [
    status,
    describeSuccess(endpoint, Number(status), convert, examples),
  ]);
  const byStatus = Object.groupBy(listCodes(endpoint), (code) => ERRORS[code].status);
  const refusals = Object.entries(byStatus).map(([status, codes = []]) => {
    const matching = examples.filter(({ code }) => code && codes.includes(code));
    const isShared = codes.length === 1 && matching.length === 0;
    return [status, isShared ? reference(`${codes}`, 'responses') : describeRefusal(codes, matching)];
  });
  return Object.fromEntries([...successes, ...refusals, ['405', reference('WRONG_METHOD', 'responses')]]);
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  201: 'Created.',
  202: 'Accepted; Location is where to look for the outcome.',
  204: 'Done; no body.',
  304: 'Nothing changed since the version you hold; no body.',
};

function describeSuccess(
  endpoint: Endpoint,
  status: number,
  convert: Convert,
  examples: readonly ExampleCall[],
): JsonObject {
  const { answers, headers = {}, idempotent = false, media = [], stream } = endpoint;
  const schema = answers[status];
  const matching = examples.filter((example) => example.status === status);
  const content: JsonObject = {};
  if (schema)
    content['application/json'] = {
      schema: convert(schema, 'output'),
      examples: toExamples(matching, 'answer'),
    };
  if (status === 200) {
    for (const type of media) content[type] = { schema: { type: 'string', format: 'binary' } };
    if (stream) content[stream.type] = { schema: convert(stream.event, 'output') };
  }
  const isCounted = listBuckets(endpoint).length > 0;
  const shared = pickHeaders(
    'x-request-id',
    isCounted && 'RateLimit',
    isCounted && 'RateLimit-Policy',
    304 in answers && 'ETag',
    idempotent && 'Idempotent-Replayed',
    status === 202 && 'Location',
  );
  const own = Object.entries(headers).map(([name, about]) => [name, header(...about)]);
  return {
    description: SUCCESS_DESCRIPTIONS[status] ?? 'Done.',
    headers: { ...shared, ...Object.fromEntries(own) },
    content: Object.keys(content).length > 0 ? content : undefined,
  };
}

/** `components.responses`: refusals by one code, and the wrong method that every path answers alike. */
export function describeShared(examples: readonly ExampleCall[]): JsonObject {
  const refusals = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const [example] = examples.filter((each) => each.code === code);
    return [code, describeRefusal([code], example ? [example] : [])];
  });
  const WRONG_METHOD = {
    ...describeRefusal(
      ['NOT_FOUND'],
      examples.filter(({ status }) => status === 405),
    ),
    description: '`NOT_FOUND`: the path has no such method; Allow names those it has.',
    headers: pickHeaders('x-request-id', 'Allow'),
  };
  return { ...Object.fromEntries(refusals), WRONG_METHOD };
}

function describeRefusal(codes: readonly ErrorCode[], examples: readonly ExampleCall[]): JsonObject {
  const details = codes.includes('PIPELINE_FAILED') ? reference('RejectDetails', 'schemas') : undefined;
  // Open, since the members that it does not name are those of Error.
  const open = { type: 'object', additionalProperties: true };
  const error = { ...open, properties: { code: { enum: codes }, details } };
  const schema = { allOf: [reference('Error', 'schemas'), { ...open, properties: { error } }] };
  return {
    description: codes.map(describeCode).join('\n\n'),
    headers: pickHeaders(
      'x-request-id',
      'RateLimit',
      'RateLimit-Policy',
      codes.includes('UNAUTHORIZED') && 'WWW-Authenticate',
      codes.some((code) => [429, 500].includes(ERRORS[code].status)) && 'Retry-After',
    ),
    content: { 'application/json': { schema, examples: toExamples(examples, 'answer') } },
  };
}

function describeCode(code: ErrorCode): string {
  const { when, fix } = ERRORS[code];
  const line = `\`${code}\`: ${when} ${fix}`;
  if (code !== 'PIPELINE_FAILED') return line;
  const stages = Object.values(STAGE_CODES).flat();
  return `${line}\n\nCodes of the stages:\n\n${stages.map((each) => `- \`${each}\`: ${ERRORS[each].when}`).join('\n')}`;
}

/** Undefined where there is none with such a body. */
export function toExamples(calls: readonly ExampleCall[], part: 'request' | 'answer') {
  const examples = calls
    .filter((call) => call[part] !== undefined)
    .map(({ name, summary, [part]: value }) => [name, { summary, value }]);
  return examples.length > 0 ? Object.fromEntries(examples) : undefined;
}
