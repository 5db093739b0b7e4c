import type * as z from 'zod/mini';
import { ErrorEnvelope } from '../contract/errors.ts';
import { ERRORS } from '../errors.ts';
import { BUCKETS, type BucketName } from '../services/fair-use.ts';
import type { Endpoint, Guard } from './endpoint.ts';
import { findBuckets, findCodes, findGuards } from './endpoint-facts.ts';
import { type JsonObject, reference, type SchemaConverter, schemaConverter } from './json-schema.ts';
import {
  type ExampleCall,
  envelopeSchema,
  errorResponses,
  sharedResponses,
  successResponses,
} from './openapi-responses.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

/** The OpenAPI 3.1 document, made from the endpoint objects. For scripts and tests: no api file imports it. */

export interface DocumentInfo {
  title: string;
  version: string;
  summary: string;
  description: string;
  license: { name: string; url: string };
  contact: { name: string; email: string; url?: string };
}

/** What the document says beyond the endpoints. */
export interface DocumentExtras {
  examples?: Examples;
  /** Where the service is reached; '': where the document comes from. */
  address?: string;
  /** Canonical values of query parameters, by the parameter's name or, going before it, `<operation>.<name>`. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** Whether the service calls the readers of this document. */
  hasWebhooks?: boolean;
}

/** By operation id. */
export type Examples = Readonly<Record<string, readonly ExampleCall[]>>;

const SCHEMES: Readonly<Record<Exclude<Guard, 'anyone'>, { name: string; description: string }>> = {
  'secret-key': { name: 'secretKey', description: 'A secret API key of the account: `ctis_sk_live_…`.' },
  widget: {
    name: 'widgetKey',
    description:
      'A publishable API key, `ctis_wk_live_…`, from a page whose origin is on its list; or, from a server, a secret one.',
  },
  operator: { name: 'operatorToken', description: 'The operator’s token (ADMIN_TOKEN).' },
  cron: { name: 'cronSecret', description: 'Sent by the platform’s cron (CRON_SECRET).' },
};

const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  Inventory: 'Trucks: send, change, read. One record or up to 500 at a time.',
  Dealers: 'The dealers of the account; a truck names its dealer by slug.',
  Feeds: 'Files of dealers’ systems that the service pulls: full snapshots, reconciled with what is stored.',
  Widget: 'For the visitors of a dealer’s site: trucks, chat, lead capture.',
  Leads: 'What visitors left for the dealers.',
  Media: 'Images of trucks, as the service stored them.',
  'Market data': 'What the market of all sellers asks; Pro and Enterprise.',
  Account: 'The account itself: what it may, has and uses.',
  Operator: 'Accounts and API keys, for whoever runs the service.',
  Platform: 'Readiness and maintenance of the service.',
};

const listServers = (address: string, path: string) => [
  { url: `${address}/`.replace(/\/$/, address === '' ? '/' : ''), description: 'This service.' },
  ...(path.startsWith('/v1/')
    ? [{ url: `${address}/api`, description: 'The same routes, below /api.' }]
    : []),
];

/** Throws when two schemas share a name or two endpoints a method and path. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  info: DocumentInfo,
  { examples = {}, address = '', values = {}, hasWebhooks = false }: DocumentExtras = {},
): JsonObject {
  const schemas = schemaConverter();
  const paths: Record<string, JsonObject> = {};
  const tags = Object.keys(TAGS).filter((name) => endpoints.some(({ tag }) => tag === name));
  for (const endpoint of endpoints) {
    const item =
      paths[endpoint.path] ??
      (endpoint.path.startsWith('/v1/') ? { servers: listServers(address, endpoint.path) } : {});
    const method = endpoint.method.toLowerCase();
    if (method in item) throw new Error(`${endpoint.method} ${endpoint.path} is declared twice`);
    paths[endpoint.path] = {
      ...item,
      [method]: toOperation(endpoint, schemas, examples[endpoint.id] ?? [], values),
    };
  }
  const webhooks = hasWebhooks ? { webhooks: describeWebhooks(schemas) } : {};
  // For the components its members refer to; its own is the next.
  schemas.convert(ErrorEnvelope, 'output');
  const envelope = {
    ...envelopeSchema(reference('ErrorCode')),
    description: 'Every error answer. Branch on `error.code`.',
  };
  const components = { ...Object.fromEntries(schemas.components), Error: envelope, ErrorCode: CODES };
  const text = JSON.stringify(paths);
  const onlyUsed = (parts: JsonObject, mention: (name: string) => string) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(mention(name))));
  return {
    openapi: '3.1.0',
    info,
    servers: listServers(address, '/'),
    tags: tags.map((name) => ({ name, description: TAGS[name as Endpoint['tag']] })),
    paths,
    ...webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: onlyUsed(
        sharedResponses(Object.values(examples).flat()),
        (name) => `#/components/responses/${name}"`,
      ),
      securitySchemes: onlyUsed(
        Object.fromEntries(
          Object.values(SCHEMES).map(({ name, description }) => [
            name,
            { type: 'http', scheme: 'bearer', description },
          ]),
        ),
        (name) => `"${name}":[]`,
      ),
    },
  };
}

/** The whole catalogue, so that a generated client knows every code. */
const CODES: JsonObject = {
  type: 'string',
  description: `Stable codes; branch on these.\n\n${Object.entries(ERRORS)
    .map(([code, { status, when }]) => `- \`${code}\` (${status}): ${when}`)
    .join('\n')}`,
  enum: Object.keys(ERRORS),
};

function toOperation(
  endpoint: Endpoint,
  schemas: SchemaConverter,
  examples: readonly ExampleCall[],
  values: NonNullable<DocumentExtras['values']>,
): JsonObject {
  const parameters = toParameters(endpoint, schemas).map((parameter) =>
    withValues(parameter, values[`${endpoint.id}.${parameter.name}`] ?? values[parameter.name as string]),
  );
  const guards = findGuards(endpoint, collectEnums(parameters));
  const buckets = findBuckets(endpoint);
  const codes = findCodes(endpoint, guards);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: describe(endpoint, buckets),
    security: guards.map((guard) => (guard === 'anyone' ? {} : { [SCHEMES[guard].name]: [] })),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: toRequestBody(endpoint.body, schemas, examples) } : {}),
    responses: {
      ...successResponses(endpoint, schemas, buckets, examples),
      ...errorResponses(codes, buckets, examples),
    },
  };
}

function describe(
  { summary, description = `${summary}.` }: Endpoint,
  buckets: readonly BucketName[],
): string {
  const counted = buckets.map((name) => {
    const { limit, windowSeconds } = BUCKETS[name];
    return `\`${name}\` (${limit} in ${windowSeconds} seconds)`;
  });
  const fairUse = counted.length > 0 ? `Counts in ${counted.join(' or ')}.` : '';
  return [description, fairUse].filter(Boolean).join('\n\n');
}

function toRequestBody(
  body: z.ZodMiniType,
  schemas: SchemaConverter,
  examples: readonly ExampleCall[],
): JsonObject {
  const matching = examples.filter(({ request, code }) => request !== undefined && code === undefined);
  const shown = Object.fromEntries(
    matching.map(({ name, summary, request }) => [name, { summary, value: request }]),
  );
  const schema = schemas.convert(body, 'input');
  const content = { schema, ...(matching.length > 0 ? { examples: shown } : {}) };
  return { required: true, content: { 'application/json': content } };
}

function toParameters(endpoint: Endpoint, schemas: SchemaConverter): JsonObject[] {
  const headers = [
    ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(304 in endpoint.answers ? [IF_NONE_MATCH] : []),
  ];
  return [
    ...toMembers(endpoint.params, schemas).map((member) => ({ ...member, in: 'path', required: true })),
    ...toMembers(endpoint.query, schemas).map((member) => ({ ...member, in: 'query' })),
    ...headers,
  ];
}

/** One entry per member: required as callers see it, typed as it is read. */
function toMembers(
  schema: z.ZodMiniType | undefined,
  schemas: SchemaConverter,
): (JsonObject & { name: string })[] {
  if (!schema) return [];
  const { properties } = schemas.convert(schema, 'output') as { properties: Record<string, JsonObject> };
  const { required = [] } = schemas.convert(schema, 'input') as { required?: string[] };
  return Object.entries(properties).map(([name, { description, examples, ...typed }]) => ({
    name,
    ...(required.includes(name) ? { required: true } : {}),
    ...(description ? { description } : {}),
    schema: typed,
    ...(typed.type === 'array' ? { explode: false } : {}),
    ...(Array.isArray(examples) ? { example: toExample(examples[0], typed) } : {}),
  }));
}

/** A filter's canonical values; the service reads other spellings of them too. */
function withValues(parameter: JsonObject, known: readonly string[] | undefined): JsonObject {
  const { schema, description } = parameter as { schema: JsonObject; description?: string };
  if (!known || parameter.in !== 'query' || 'enum' in schema) return parameter;
  const typed = { type: 'string', enum: known };
  return {
    ...parameter,
    description: `${description ?? ''} Other spellings are read as well.`.trim(),
    schema: schema.type === 'array' ? { ...schema, items: typed } : typed,
  };
}

/** Lists are written with commas on the wire; the document shows the list. */
function toExample(example: unknown, { type }: JsonObject): unknown {
  return type === 'array' && typeof example === 'string' ? example.split(',') : example;
}

function collectEnums(parameters: readonly JsonObject[]): Record<string, string[]> {
  return Object.fromEntries(
    parameters.map(({ name, schema }) => [String(name), ((schema as JsonObject).enum ?? []) as string[]]),
  );
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 printable ASCII characters of your choice. The same request under the same key within 24 hours is answered from memory and not done again; another request under the same key is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'nightly-2026-01-15-page-7',
};

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the version you hold; the answer is 304 without a body while nothing changed.',
  schema: { type: 'string' },
};
