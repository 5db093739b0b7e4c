import type * as z from 'zod/mini';
import type { Endpoint, Guard } from '../endpoint.ts';
import { ErrorEnvelope } from '../error-envelope.ts';
import { BUCKETS } from '../guards/fair-use.ts';
import { type Convert, type JsonObject, schemaConverter } from './json-schema.ts';
import {
  describeRefusals,
  describeResponses,
  type ExampleCall,
  HEADERS,
  listBuckets,
  toExamples,
} from './openapi-responses.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

/** The OpenAPI 3.1 document, made from the endpoint objects. For scripts and tests: no api file imports it. */

/** What the document says beyond the endpoints. */
interface DocumentExtras {
  examples?: Examples;
  values?: ParameterValues;
  /** Whether the service calls the readers of this document. */
  hasWebhooks?: boolean;
}

/** Canonical values of query parameters, by the parameter's name or, going before it, `<operation>.<name>`. */
type ParameterValues = Readonly<Record<string, readonly string[]>>;

/** By operation id. */
export type Examples = Readonly<Record<string, readonly ExampleCall[]>>;

/** Of the security schemes, which have the names of the guards. */
const SCHEMES: Readonly<Record<Exclude<Guard, 'anyone'>, string>> = {
  'secret-key': 'A secret API key of the account: `ctis_sk_live_…`.',
  widget:
    'A publishable API key, `ctis_wk_live_…`, from a page whose origin is on its list; from a server, a secret key.',
  operator: 'The operator’s token (ADMIN_TOKEN).',
  cron: 'Sent by the platform’s cron (CRON_SECRET).',
};

const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  Inventory: 'Trucks: send, change, read. One record or up to 500 at a time.',
  Dealers: 'The dealers of the account; a truck names its dealer by slug.',
  Feeds:
    'Inventory files that the service pulls from dealers’ systems. Each file is a full snapshot and is reconciled with the stored listings.',
  Widget: 'Trucks, chat and lead capture for the visitors of a dealer’s site.',
  Leads: 'Enquiries that visitors left for dealers.',
  Media: 'Stored images of trucks.',
  'Market data': 'Asking prices of all sellers; for Pro and Enterprise.',
  Account: 'The account: tier, limits, usage and counts.',
  Operator: 'Accounts and API keys, for whoever runs the service.',
  Platform: 'Readiness and maintenance of the service.',
};

/** Throws when two schemas share a name. What is undefined in it JSON leaves out. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  info: JsonObject,
  { examples = {}, values = {}, hasWebhooks = false }: DocumentExtras = {},
): JsonObject {
  const { convert, components } = schemaConverter();
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const operation = describeOperation(endpoint, convert, examples[endpoint.id] ?? [], values);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
  }
  const webhooks = hasWebhooks ? describeWebhooks(convert) : undefined;
  convert(ErrorEnvelope, 'answer');
  const guards = new Set(endpoints.flatMap(listGuards));
  const schemes = Object.entries(SCHEMES).flatMap(([name, description]) =>
    guards.has(name as Guard) ? [[name, { type: 'http', scheme: 'bearer', description }]] : [],
  );
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'This service.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => endpoints.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: describeRefusals(endpoints, Object.values(examples).flat()),
      headers: HEADERS,
      securitySchemes: Object.fromEntries(schemes),
    },
  };
}

const listGuards = ({ guard, operatorOnly }: Endpoint): Guard[] =>
  operatorOnly ? [guard, 'operator'] : [guard];

function describeOperation(
  endpoint: Endpoint,
  convert: Convert,
  examples: readonly ExampleCall[],
  values: ParameterValues,
): JsonObject {
  const { id, tag, summary, description = `${summary}.`, body, widget } = endpoint;
  const bucketNames = listBuckets(endpoint).map(
    (name) => `\`${name}\` (${BUCKETS[name].limit} in 60 seconds)`,
  );
  const content = body && {
    schema: convert(body, 'input'),
    examples: toExamples(
      examples.filter(({ code }) => code === undefined),
      'request',
    ),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description:
      bucketNames.length > 0
        ? `${description}\n\n${widget ? 'With a secret key counts' : 'Counts'} in ${bucketNames.join(' or ')}.`
        : description,
    security: listGuards(endpoint).map((name) => (name === 'anyone' ? {} : { [name]: [] })),
    parameters: describeParameters(endpoint, convert, values),
    requestBody: content && { required: true, content: { 'application/json': content } },
    responses: describeResponses(endpoint, convert, examples),
  };
}

function describeParameters(
  { id, params, query, idempotent, answers }: Endpoint,
  convert: Convert,
  values: ParameterValues,
): JsonObject[] {
  return [
    ...describeMembers(params, 'path', convert, () => undefined),
    ...describeMembers(query, 'query', convert, (name) => values[`${id}.${name}`] ?? values[name]),
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(304 in answers ? [IF_NONE_MATCH] : []),
  ];
}

/** One entry per member: required as callers see it, typed as it is read. */
function describeMembers(
  schema: z.ZodMiniType | undefined,
  place: 'path' | 'query',
  convert: Convert,
  findValues: (name: string) => readonly string[] | undefined,
): JsonObject[] {
  if (!schema) return [];
  const { properties } = convert(schema, 'output') as { properties: Record<string, JsonObject> };
  const { required = [] } = convert(schema, 'input') as { required?: string[] };
  return Object.entries(properties).map(([name, { description, examples, ...valueSchema }]) => {
    const isList = valueSchema.type === 'array';
    const values = 'enum' in valueSchema ? undefined : findValues(name);
    const canonical = values && { type: 'string', enum: values };
    const [example] = (examples ?? []) as unknown[];
    return {
      name,
      in: place,
      required: required.includes(name) || undefined,
      description: canonical ? `${description ?? ''} Other spellings are read as well.`.trim() : description,
      schema: canonical ? (isList ? { ...valueSchema, items: canonical } : canonical) : valueSchema,
      explode: isList ? false : undefined,
      // Lists are written with commas on the wire; the document shows the list.
      example: isList && typeof example === 'string' ? example.split(',') : example,
    };
  });
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 printable ASCII characters of your choice. Repeating the same request with the same key within 24 hours returns the stored answer; a different request with the same key is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'nightly-2026-01-15-page-7',
};

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the version you hold; returns 304 without a body while it is unchanged.',
  schema: { type: 'string' },
};
