import { expect, test } from 'vitest';
import { STAGE_CODES } from '../../../lib/errors.ts';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { documentedSchema } from '../../../lib/truck/json.ts';
import { entryFor, FIELD_NAMES } from '../../../lib/truck/record/record.ts';
import { hostileRecord, hostileValue, mutated, sample, toText } from '../../support/samples/hostile.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { tablesContaining } from '../../support/service/database.ts';
import { sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { ADMIN_TOKEN, startService } from '../../support/service/service.ts';

/**
 * Thousands of inputs that no good client sends, over every write and every parameter: never a 5xx, always the
 * declared answer or the envelope (which the harness checks). One store is enough: the drivers share one encoder.
 */

const service = await startService();
const account = await service.newAccount();
const stage = { service, account };

/** Lists with a cursor. */
const LISTS = ['/v1/dealers', '/v1/issues', '/v1/leads', '/v1/feeds', '/v1/inventory', '/api/admin/accounts'];
const BATCH = 250;
/** More with `npm run prove`. */
const RECORDS = Number(process.env.HOSTILE_RECORDS ?? 1_000);

/** Each gets a result, and is rejected by validation alone: the codes, and the VINs that were accepted. */
async function postRecords(records: readonly unknown[]) {
  const [codes, acceptedVins] = [new Set<string>(), [] as string[]];
  for (let start = 0; start < records.length; start += BATCH) {
    const some = records.slice(start, start + BATCH);
    const raw = toText({ records: some });
    const answer = await service.call('POST', '/v1/inventory', { token: account.key, raw });
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    expect(answer.body.summary.received).toBe(some.length);
    for (const code of Object.keys(answer.body.rejects_by_code)) codes.add(code);
    for (const { outcome, vin } of answer.body.results) if (outcome !== 'rejected') acceptedVins.push(vin);
  }
  for (const code of codes) expect(STAGE_CODES.validate).toContain(code);
  return { codes, accepted: acceptedVins };
}

test(`${RECORDS} mutated records in batches: a result each, rejected by validation alone, and readable when accepted`, async () => {
  const { codes, accepted: acceptedVins } = await postRecords(sample(hostileRecord(cleanTruck), RECORDS));
  expect(codes.size).toBeGreaterThan(6);
  expect(acceptedVins.length).toBeGreaterThan(RECORDS / 20);
  for (const vin of acceptedVins.filter((_, at) => at % 10 === 0)) {
    const answer = await account.call('GET', `/v1/inventory/${encodeURIComponent(vin)}`);
    expect(answer.status, vin).toBe(200);
    // Posted back as it was read, it settles: what was derived is now received, and then nothing changes any more.
    expect((await account.post(answer.body)).status, answer.text).toBe(200);
    const repeat = await account.post(answer.body);
    expect([repeat.status, repeat.body.outcome], answer.text).toEqual([200, 'unchanged']);
  }
});

test('names that every plain object answers, and objects and lists that have no text, are values like others, in each field', async () => {
  const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'];
  const textless = { toString: 1, valueOf: 1 };
  const values = [...names, textless, [textless], { a: textless }, ['Red', textless]];
  const fields = FIELD_NAMES.map((field) => entryFor(field).names[0] ?? field);
  await postRecords(fields.flatMap((field) => values.map((value) => ({ ...cleanTruck(), [field]: value }))));
  for (const name of names)
    for (const query of [`q=${name}`, `make=${name}`, `body_type=${name}`, `model=${name}&near=${name}`])
      expect([200, 400], query).toContain((await account.call('GET', `/v1/inventory?${query}`)).status);
});

/** What its schema names, where that is an object; any other text is a member that nobody knows. */
const listMembers = ({ body }: Endpoint, json: object) =>
  Object.keys((body && (documentedSchema(body) as { shape?: object }).shape) ?? json);

test.each(ENDPOINTS.filter(({ body }) => body))(
  '$id: mutated bodies, and what is no body',
  async (endpoint) => {
    const { path, json } = await sampleFor(stage, endpoint);
    const good = json as object;
    const bodies = [
      ...sample(
        mutated(() => good, listMembers(endpoint, good)),
        150,
      ),
      ...sample(hostileValue, 50),
      ...sample(
        mutated(() => ({ records: [good] }), ['records', 'source_provider_id']),
        50,
      ),
    ];
    for (const raw of bodies.map(toText))
      expect((await sendTo(stage, endpoint, { path }, { raw })).status, raw.slice(0, 500)).toBeLessThan(500);
  },
);

test('path and query parameters, encoded well and badly, and header values', async () => {
  const texts = sample(hostileValue, 80).map((value) =>
    String(typeof value === 'object' ? toText(value) : value).slice(0, 2_000),
  );
  const bad = [
    '%',
    '%zz',
    '%ff',
    '%c3%28',
    '%00',
    'ew',
    'MTphOnp6',
    'Jw',
    '%2f',
    '%2e%2e',
    '..',
    '%5c',
    ';',
    '%0d%0a',
    'a'.repeat(7_000),
  ];
  for (const part of [...texts.map((text) => encodeURIComponent(text.toWellFormed())), ...bad]) {
    // Dots lead out of the path before it is sent.
    const items = /^(?:\.|%2e)*$/.test(part) ? [] : ['/v1/dealers/', '/v1/feeds/', '/v1/leads/'];
    const queries = ['/v1/dealers?limit=', '/v1/dealers?', '/api/admin/keys?account_id='];
    const cursors = LISTS.map((list) => `${list}?cursor=`);
    for (const start of ['/v1/inventory/', '/api/admin/accounts/', ...items, ...queries, ...cursors]) {
      const token = start.startsWith('/api') ? ADMIN_TOKEN : account.key;
      const { status } = await service.call('GET', start + part, { token });
      expect([200, 400, 404, 405], start + part).toContain(status);
    }
    const query = `?dry_run=${part}&return=${part}`;
    expect([200, 400]).toContain((await account.post({ records: [] }, query)).status);
  }
  for (const text of texts) {
    const value = text.replace(/[^\x20-\x7e\x80-\xff]/g, '?');
    const names = ['idempotency-key', 'if-none-match', 'x-request-id', 'content-type'];
    const headers = Object.fromEntries(names.map((name) => [name, value]));
    const answer = await account.call('POST', '/v1/dealers', { slug: uniqueSlug(), name: 'X' }, headers);
    expect([201, 400], value.slice(0, 200)).toContain(answer.status);
  }
});

test('nothing of it left a lone surrogate, a NUL, or a polluted prototype behind', async () => {
  expect(await tablesContaining('\\ud800')).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
