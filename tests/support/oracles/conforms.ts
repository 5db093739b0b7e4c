import { expect } from 'vitest';
import { docUrl, ERRORS, type ErrorCode, REASONS } from '../../../lib/errors.ts';
import { FEED_FAULTS } from '../../../lib/feeds/feed-faults.ts';
import type { Endpoint, Guard } from '../../../lib/http/endpoint.ts';
import { ErrorEnvelope } from '../../../lib/http/error-envelope.ts';
import { readQuery } from '../../../lib/http/input/query.ts';
import { listCodes } from '../../../lib/http/openapi/openapi-responses.ts';
import { findGuard } from '../../../lib/http/serve.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { expectPage } from '../service/dashboard.ts';
import type { Answer } from '../service/service.ts';
import { expectDocumentedHeaders } from './documented-headers.ts';

/** The endpoints of a path, `/v1/…` and `/api/v1/…` alike. */
export function endpointsAt(path: string): Endpoint[] {
  const bare = (path.split('?')[0] ?? '').replace(/^\/api(?=\/(v1|media)\/)/, '').replace(/(?<=.)\/$/, '');
  const fitting = ENDPOINTS.filter(({ path: template }) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  );
  // A path that is spelled out goes before one with a placeholder.
  const exact = fitting.filter(({ path: template }) => template === bare);
  return exact.length > 0 ? exact : fitting;
}

/** The guard that this path and query ask for. */
export const guardFor = (endpoint: Endpoint, path: string): Guard => findGuard(endpoint, readQuery(path));

/**
 * What holds for every answer of the service: a request id of its own, JSON of the declared schema and nothing
 * beside it, or the envelope with a code that the route declares or that its guard brings.
 */
export function expectConforming(method: string, path: string, answer: Answer) {
  const { status, headers, text, body } = answer;
  const context = `${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 400)}`;
  expect(headers.get('x-request-id'), context).toMatch(/^req_[\w-]{8,}$/);
  expect(headers.get('x-content-type-options'), context).toBe('nosniff');
  const siblings = endpointsAt(path);
  const endpoint = siblings.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method));
  const members =
    endpoint?.tag === 'Media' && status < 400
      ? /^public, max-age=31536000, s-maxage=2592000, immutable$/
      : endpoint?.id === 'getWidgetInventory' && headers.get('cache-control')?.startsWith('public')
        ? /^public, max-age=30, s-maxage=30, stale-while-revalidate=30$/
        : /no-store|private, (no-cache|max-age=30$)/;
  expect(headers.get('cache-control'), context).toMatch(members);
  if (status >= 500 || status === 429) expect(headers.get('retry-after'), context).toMatch(/^[1-9]\d*$/);
  if (/^\/dashboard(?:[/?]|$)/.test(path)) return method !== 'HEAD' && expectPage(context, answer);
  if (status === 202) expect(headers.get('location'), context).toMatch(/^\/v1\//);
  if (method === 'HEAD') return expect(text, context).toBe('');
  // A method that the path does not serve is documented with each of those that it does.
  const documented = endpoint ?? siblings[0];
  if (documented && method !== 'OPTIONS') expectDocumentedHeaders(context, documented, answer);
  const type = headers.get('content-type') ?? '';
  if (siblings.length === 0 && status === 404 && type.startsWith('text/html'))
    expect(text, context).toContain('<!doctype html>');
  else if (status >= 400 && !endpoint?.answers[status]) expectEnvelope(context, answer, siblings, endpoint);
  else if (endpoint) {
    expect(Object.keys(endpoint.answers), context).toContain(String(status));
    const schema = endpoint.answers[status];
    if (type === endpoint.stream?.type)
      for (const event of parseEvents(text))
        expect(endpoint.stream.event.parse(event), context).toEqual(event);
    else if (endpoint.media && status === 200 && !(schema && type.startsWith('application/json')))
      expect(endpoint.media, context).toContain(type);
    else if (!schema) expect(text, context).toBe('');
    else {
      expect(type, context).toMatch(/^application\/json/);
      // Parsing drops undeclared members: the answer must not have any.
      expect(schema.parse(body), context).toEqual(body);
    }
  } else if (method === 'OPTIONS' && siblings.some(({ guard }) => guard === 'widget'))
    expect([status, text], context).toEqual([204, '']);
  else expect.unreachable(`an answer of no endpoint: ${context}`);
}

/** Server-sent events, as the HTML standard reads them. */
export function parseEvents(text: string): { event: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

function expectEnvelope(
  context: string,
  { status, headers, body }: Answer,
  siblings: readonly Endpoint[],
  route: Endpoint | undefined,
): void {
  expect(headers.get('content-type'), context).toMatch(/^application\/json/);
  expect(ErrorEnvelope.parse(body), context).toEqual(body);
  const code: ErrorCode = body.error.code;
  expect(Object.keys(ERRORS), context).toContain(code);
  expect(body.error.message, context).not.toBe('');
  expectDetails(context, code, body.error.details);
  const wrongMethod = siblings.length > 0 && !route;
  expect(status, context).toBe(wrongMethod && code === 'NOT_FOUND' ? 405 : ERRORS[code].status);
  const ofStray = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'NOT_FOUND', 'INTERNAL_ERROR'];
  expect(route ? listCodes(route) : ofStray, context).toContain(code);
}

/** Words of zod's own messages. */
const LIBRARY =
  /\b(?:invalid (?:input|string|option|key|element)|expected|too (?:small|big)|unrecognized)\b/i;

/** One shape on every refusal: a token of the catalogue, what to do, the code's page, and our own sentences only. */
// biome-ignore lint/suspicious/noExplicitAny: what the wire brought
function expectDetails(context: string, code: ErrorCode, details: any): void {
  const { fix, doc_url, field, issues = [] } = details;
  const tokens = Object.keys({ ...REASONS, ...FEED_FAULTS });
  const codes = Object.keys(ERRORS).map((name) => name.toLowerCase());
  expect([...tokens, ...codes], context).toContain(details.reason);
  expect(details, context).toMatchObject({
    fix: expect.stringMatching(/\S.*[.…:)]$/s),
    doc_url: expect.stringMatching(/^(?:https?:\/\/[^/]+)?\/docs\/errors\/[A-Z_]+/),
    retryable: expect.any(Boolean),
  });
  const stageCodes = Object.values(details.stages ?? {}) as ErrorCode[];
  const isOfCode = [code, ...stageCodes].some((name) => doc_url.endsWith(docUrl(name)));
  expect(isOfCode, context).toBe(true);
  if (field !== undefined) expect(field, context).toMatch(/\S/);
  const fixes = [fix, ...issues.map((issue: { fix: string }) => issue.fix)];
  for (const each of fixes) expect(each, context).toEqual(expect.any(String));
  expect(fixes.join('\n'), context).not.toMatch(LIBRARY);
}
