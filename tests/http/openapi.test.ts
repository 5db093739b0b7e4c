import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { openApiDocument } from '../../lib/http/openapi/openapi.ts';
import { ENDPOINTS } from '../../lib/routes.ts';
import { named } from '../../lib/truck/json.ts';
import { describeService } from '../../scripts/docs/describe-service.ts';
import { useRecording } from '../support/service/recording.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { content: { 'application/json': { schema: unknown } } };
  responses: Record<string, { $ref?: string; description: string; headers: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, unknown>;
  components: {
    schemas: Record<string, { enum?: string[] }>;
    responses: Record<string, { description: string }>;
  };
}

const FILES = { sellers: 'public/openapi.json', operators: 'docs/openapi-operators.json' } as const;
const described = {} as Record<keyof typeof FILES, Document>;
/** Of both audiences together. */

const { examples } = await useRecording();
for (const audience of ['sellers', 'operators'] as const)
  described[audience] = JSON.parse(JSON.stringify(await describeService(examples, audience)));
const { sellers, operators } = described;
const document = {
  paths: { ...operators.paths, ...sellers.paths },
  components: {
    schemas: { ...operators.components.schemas, ...sellers.components.schemas },
    responses: { ...operators.components.responses, ...sellers.components.responses },
  },
};

function operation(id: string): Operation {
  const found = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
}

test.each(Object.entries(FILES))(
  'the document for %s is what the endpoints say; after a change, run npm run docs',
  (audience, file) => {
    const committed = readFileSync(join(ROOT, file), 'utf8');
    expect(JSON.parse(committed)).toEqual(described[audience as keyof typeof FILES]);
  },
);

test('sellers see no route of operators, of cron, and none of them is named there', () => {
  const text = JSON.stringify(described.sellers);
  expect(text).not.toContain('/api/admin/');
  expect(text).not.toContain('/api/cron/');
  expect(Object.keys(described.operators.paths).filter((path) => path.startsWith('/v1/'))).toEqual([]);
});

test('what callers need to know is in the document: values, times, required fields, webhooks', () => {
  const { sellers } = described;
  const parameters = operation('searchInventory').parameters ?? [];
  const find = (name: string) => parameters.find((parameter) => parameter.name === name);
  expect(find('class')?.schema).toMatchObject({ items: { enum: expect.arrayContaining(['class_8']) } });
  expect(find('body_type')?.schema).toMatchObject({ items: { enum: expect.arrayContaining(['dump']) } });
  for (const [name, values] of [
    ['condition', ['new', 'used', 'unknown']],
    ['rear_wheels', ['dual', 'single']],
    ['currency', ['USD', 'CAD', 'MXN']],
  ] as const)
    expect(find(name)?.schema, name).toMatchObject({ items: { enum: values } });
  const ofMarket = operation('getMarketPrices').parameters?.find(({ name }) => name === 'condition');
  expect(ofMarket?.schema).toMatchObject({ enum: ['new', 'used'] });
  const { Listing, InventoryRecordInput } = sellers.components.schemas;
  expect(Listing).toMatchObject({ properties: { updated_at: { type: 'string', format: 'date-time' } } });
  expect(InventoryRecordInput).toMatchObject({
    properties: { VIN: {}, modelYear: {}, brand: {} },
    allOf: expect.arrayContaining([
      { anyOf: expect.arrayContaining([expect.objectContaining({ required: ['vin'] })]) },
    ]),
  });
  expect(Object.keys(sellers.webhooks ?? {})).toEqual(['lead', 'ping']);
  expect(described.operators.webhooks).toBeUndefined();
});

test('what is deployed names its own address and contact', async () => {
  const place = { address: 'https://trucks.example', supportEmail: 'help@trucks.example' };
  expect(await describeService({}, 'sellers', place)).toMatchObject({
    servers: [{ url: 'https://trucks.example' }],
    info: { contact: { email: 'help@trucks.example' } },
  });
});

describe('every endpoint', () => {
  test.each(ENDPOINTS.map((each) => [each.id, each] as const))(
    '%s answers its successes and its codes',
    (id, each) => {
      const { responses } = operation(id);
      for (const status of Object.keys(each.answers)) expect(Object.keys(responses)).toContain(status);
      const codes: ErrorCode[] = [...each.errors, 'INTERNAL_ERROR'];
      for (const code of codes) {
        const response = responses[ERRORS[code].status];
        const shared = document.components.responses[response?.$ref?.split('/').at(-1) ?? ''];
        expect((shared ?? response)?.description, code).toContain(`\`${code}\``);
      }
      if (!codes.includes('TIER_RESTRICTED'))
        expect(JSON.stringify(responses)).not.toContain('TIER_RESTRICTED');
    },
  );

  test('says who may call it, and what that brings', () => {
    expect(operation('getInventory').security).toEqual([{ 'secret-key': [] }]);
    expect(operation('postKeys').security).toEqual([{ operator: [] }]);
    expect(operation('cronHousekeeping').security).toEqual([{ cron: [] }]);
    expect(operation('getHealth').security).toEqual([{}, { operator: [] }]);
    expect(Object.keys(operation('getInventory').responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '405',
      '429',
      '500',
    ]);
  });

  test('names the headers it reads and writes', () => {
    const names = (id: string) => (operation(id).parameters ?? []).map(({ name }) => name);
    expect(names('postInventory')).toEqual(['wait', 'dry_run', 'return', 'Idempotency-Key']);
    expect(names('getInventory')).toEqual(['vin', 'If-None-Match']);
    expect(Object.keys(operation('postInventory').responses[200]?.headers ?? {})).toEqual([
      'x-request-id',
      'RateLimit',
      'RateLimit-Policy',
      'ETag',
      'Idempotent-Replayed',
      'Location',
    ]);
  });
});

test('the body of POST /v1/inventory is documented as a record, a status or a batch of both', () => {
  const schema = operation('postInventory').requestBody?.content['application/json'].schema;
  const names = JSON.stringify(schema).match(/(?<=#.components.schemas.)\w+/g);
  expect(names).toEqual(['InventoryRecordInput', 'StatusInput', 'InventoryBatchInput']);
  expect(JSON.stringify(document.components.schemas.InventoryBatchInput)).toContain('InventoryRecordInput');
});

test('query parameters are typed as they are read', () => {
  const [, dryRun] = operation('postInventory').parameters ?? [];
  const [limit] = operation('getDealers').parameters ?? [];
  expect(dryRun?.schema).toEqual({ type: 'boolean' });
  expect(limit).toMatchObject({
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  });
  expect(limit?.required).toBeUndefined();
});

test('what clients cannot use is not in the document', () => {
  const text = JSON.stringify(document);
  for (const trace of ['$schema', '$defs', '9007199254740991', '"additionalProperties":false', '"$id"'])
    expect(text, trace).not.toContain(trace);
});

test('the generator refuses a schema name that means two things', () => {
  const answering = (schema: z.ZodMiniType) =>
    endpoint({
      id: 'test',
      method: 'GET',
      path: '/a',
      tag: 'Platform',
      summary: 'Test',
      guard: 'anyone',
      errors: [],
      answers: { 200: z.object({ value: schema }) },
      handle: async () => ({ status: 200, body: {} }),
    });
  const [text, number] = [named('Twice', z.string(), 'A.'), named('Twice', z.number(), 'A.')];
  expect(() => openApiDocument([answering(text)], {})).not.toThrow();
  expect(() => openApiDocument([answering(text), answering(number)], {})).toThrow('Twice');
});

test('no api function carries the document generator', () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
      visit(join(dirname(file), specifier));
  };
  for (const file of globSync('api/**/*.js', { cwd: ROOT })) visit(join(ROOT, file));
  const carried = [...seen].map((file) => file.slice(ROOT.length));
  expect(carried).toContain('lib/http/endpoint.ts');
  expect(carried.filter((file) => /openapi|json-schema/.test(file))).toEqual([]);
});
