import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import { openApiDocument } from '../../lib/http/openapi/openapi.ts';
import { ENDPOINTS } from '../../lib/routes.ts';
import { nameSchema } from '../../lib/truck/json.ts';
import { toDeployedDocument } from '../../scripts/docs/deployment.ts';
import { type Audience, describeService } from '../../scripts/docs/describe-service.ts';
import { useRecording } from '../support/service/recording.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: { name: string; schema: unknown }[];
  requestBody?: unknown;
  responses: Record<string, { $ref?: string; description: string }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
  components: Record<'schemas' | 'responses', Record<string, { description: string }>>;
}

const { examples } = await useRecording();
const describeFor = async (audience: Audience): Promise<Document> =>
  JSON.parse(JSON.stringify(await describeService(examples, audience)));
const [sellers, operators] = [await describeFor('sellers'), await describeFor('operators')];

function operation(id: string): Operation {
  const texts = [sellers, operators]
    .flatMap(({ paths }) => Object.values(paths).flatMap((item) => Object.values(item)))
    .find(({ operationId }) => operationId === id);
  if (!texts) throw new Error(`no operation ${id}`);
  return texts;
}

test.each([
  ['public/openapi.json', sellers],
  ['docs/openapi-operators.json', operators],
])('%s is what the endpoints say; after a change, run npm run docs', (file, document) => {
  expect(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))).toEqual(document);
});

test('sellers see no route of operators, of cron, and none of them is named there', () => {
  expect(JSON.stringify(sellers)).not.toMatch(/\/api\/(?:admin|cron)\//);
  expect(JSON.stringify(Object.keys(operators.paths))).not.toContain('/v1/');
});

test('what callers need to know is in the document: values, times, required fields, webhooks', () => {
  const find = (id: string, parameter: string) =>
    operation(id).parameters.find(({ name }) => name === parameter)?.schema;
  expect(find('searchInventory', 'class')).toMatchObject({
    items: { enum: expect.arrayContaining(['class_8']) },
  });
  expect(find('searchInventory', 'currency')).toMatchObject({ items: { enum: ['USD', 'CAD', 'MXN'] } });
  expect(find('getMarketPrices', 'condition')).toMatchObject({ enum: ['new', 'used'] });
  expect(sellers.components.schemas).toMatchObject({
    Listing: { properties: { updated_at: { type: 'string', format: 'date-time' } } },
    InventoryRecordInput: {
      properties: { VIN: {}, modelYear: {}, brand: {} },
      allOf: expect.arrayContaining([
        { anyOf: expect.arrayContaining([expect.objectContaining({ required: ['vin'] })]) },
      ]),
    },
  });
  expect(Object.keys(sellers.webhooks ?? {})).toEqual(['lead', 'ping']);
  expect(operators.webhooks).toBeUndefined();
});

test('what is deployed names its own address and contact', () => {
  const place = { address: 'https://trucks.example', supportEmail: 'help@trucks.example' };
  expect(toDeployedDocument({ info: { title: 'API' } }, place)).toMatchObject({
    servers: [{ url: 'https://trucks.example' }],
    info: { title: 'API', contact: { email: 'help@trucks.example' } },
  });
});

test.each(ENDPOINTS.map((each) => [each.id, each] as const))(
  '%s answers its successes and its codes',
  (id, { answers, errors }) => {
    const { responses } = operation(id);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(Object.keys(answers)));
    const codes: ErrorCode[] = [...errors, 'INTERNAL_ERROR'];
    for (const code of codes) {
      const { $ref = '', description } = responses[ERRORS[code].status] ?? {};
      const name = $ref.split('/').at(-1) ?? '';
      const shared = sellers.components.responses[name] ?? operators.components.responses[name];
      expect(shared?.description ?? description, code).toContain(`\`${code}\``);
    }
    if (!errors.includes('TIER_RESTRICTED'))
      expect(JSON.stringify(responses)).not.toContain('TIER_RESTRICTED');
  },
);

test('an endpoint says who may call it', () => {
  const ids = ['getInventory', 'postKeys', 'cronHousekeeping', 'getHealth'];
  expect(ids.map((id) => operation(id).security)).toEqual([
    [{ 'secret-key': [] }],
    [{ operator: [] }],
    [{ cron: [] }],
    [{}, { operator: [] }],
  ]);
});

test('the body of POST /v1/inventory is documented as a record, a status or a batch of both', () => {
  const names = JSON.stringify(operation('postInventory').requestBody).match(
    /(?<=#.components.schemas.)\w+/g,
  );
  expect(names).toEqual(['InventoryRecordInput', 'StatusInput', 'InventoryBatchInput']);
});

test('parameters are named, headers among them, and typed as they are read', () => {
  expect(operation('postInventory').parameters).toMatchObject([
    { name: 'dry_run', schema: { type: 'boolean' } },
    { name: 'return' },
    { name: 'Idempotency-Key', in: 'header' },
  ]);
  expect(operation('getInventory').parameters).toMatchObject([{ name: 'vin' }, { name: 'If-None-Match' }]);
  const [limit] = operation('getDealers').parameters;
  const schema = { type: 'integer', minimum: 1, maximum: 200, default: 50 };
  expect(limit).toMatchObject({ in: 'query', schema });
  expect(limit).not.toHaveProperty('required');
});

test('what clients cannot use is not in the document', () => {
  const text = JSON.stringify([sellers, operators]);
  for (const trace of ['$schema', '$defs', '9007199254740991', '"additionalProperties":false', '"$id"'])
    expect(text, trace).not.toContain(trace);
});

test('the generator refuses a schema name that means two things', () => {
  const [one] = ENDPOINTS;
  const describeAnswers =
    (...schemas: z.ZodMiniType[]) =>
    () =>
      openApiDocument(
        schemas.flatMap((schema) => (one ? { ...one, answers: { 200: schema } } : [])),
        {},
      );
  const text = nameSchema('Twice', z.string(), 'A.');
  expect(describeAnswers(text, text)).not.toThrow();
  expect(describeAnswers(text, nameSchema('Twice', z.number(), 'A.'))).toThrow('Twice');
});
