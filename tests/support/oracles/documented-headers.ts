import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Endpoint } from '../../../lib/http/endpoint.ts';

/** Headers that a client acts on: a generated client knows only those that the document names. */
const ACTED_ON = [
  'allow',
  'content-disposition',
  'etag',
  'idempotent-replayed',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-next-cursor',
  'x-request-id',
];

interface Response {
  $ref?: string;
  headers?: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
}

const ROOT = new URL('../../..', import.meta.url).pathname;
const readDocument = (file: string): Document => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const DOCUMENTS = ['public/openapi.json', 'docs/openapi-operators.json'].map(readDocument);

/** Each header of the answer that a client acts on stands in the document, under the status that it came with. */
export function expectDocumentedHeaders(
  context: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { status, headers }: { status: number; headers: Headers },
): void {
  const document = DOCUMENTS.find(({ paths }) => paths[path]);
  const operation = document?.paths[path]?.[method.toLowerCase()];
  const response = operation?.responses[status];
  const shared = document?.components.responses[response?.$ref?.split('/').at(-1) ?? ''];
  const documentedNames = Object.keys((shared ?? response)?.headers ?? {}).map((name) => name.toLowerCase());
  const sentNames = ACTED_ON.filter((name) => headers.has(name));
  expect(documentedNames, `${context}: has \`npm run docs\` been run?`).toEqual(
    expect.arrayContaining(sentNames),
  );
}
