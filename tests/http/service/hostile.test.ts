import { describe, expect, test } from 'vitest';
import { STAGE_CODES } from '../../../lib/errors.ts';
import { entryFor, FIELD_NAMES } from '../../../lib/truck/record/record.ts';
import { hostileRecord, hostileValue, mutated, sample, toText } from '../../support/samples/hostile.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { tablesContaining } from '../../support/service/database.ts';
import { ADMIN_TOKEN, type Answer, startService } from '../../support/service/service.ts';

/**
 * Thousands of inputs that no good client sends, over every write and every parameter: never a 5xx, always the
 * declared answer or the envelope (which the harness checks). One store is enough: the drivers share one encoder.
 */

const service = await startService();
const account = await service.newAccount();

/** Lists with a cursor. */
const LISTS = ['/v1/dealers', '/v1/issues', '/v1/leads', '/v1/feeds', '/v1/inventory'];
const BATCH = 250;
/** More with `npm run prove`. */
const RECORDS = Number(process.env.HOSTILE_RECORDS ?? 1_000);
const send = (method: string, path: string, raw?: string, token = account.key) =>
  service.call(method, path, { token, ...(raw === undefined ? {} : { raw }) });

/** Each body is answered by one of these. */
async function expectAnswers(
  bodies: readonly unknown[],
  statuses: readonly number[],
  ask: (text: string, at: number) => Promise<Answer>,
): Promise<void> {
  for (const [at, body] of bodies.entries()) {
    const text = toText(body);
    expect(statuses, text.slice(0, 500)).toContain((await ask(text, at)).status);
  }
}

describe('hostile input', () => {
  test(`${RECORDS} mutated records in batches: a result each, rejected by validation alone, and readable when accepted`, async () => {
    const records = sample(hostileRecord(cleanTruck), RECORDS);
    const tally: Record<string, number> = {};
    const accepted: string[] = [];
    for (let start = 0; start < records.length; start += BATCH) {
      const some = records.slice(start, start + BATCH);
      const answer = await send('POST', '/v1/inventory', toText({ records: some }));
      expect(answer.status, answer.text.slice(0, 500)).toBe(200);
      expect(answer.body.summary.received).toBe(some.length);
      for (const [code, count] of Object.entries<number>(answer.body.rejects_by_code))
        tally[code] = (tally[code] ?? 0) + count;
      for (const { outcome, vin } of answer.body.results) if (outcome !== 'rejected') accepted.push(vin);
    }
    for (const code of Object.keys(tally)) expect(STAGE_CODES.validate).toContain(code);
    expect(Object.keys(tally).length).toBeGreaterThan(6);
    expect(accepted.length).toBeGreaterThan(RECORDS / 20);
    for (const vin of accepted.filter((_, at) => at % 10 === 0)) {
      const answer = await account.call('GET', `/v1/inventory/${encodeURIComponent(vin)}`);
      expect(answer.status, vin).toBe(200);
      // Posted back as it was read, it settles: what was derived is now received, and then nothing changes any more.
      expect((await account.post(answer.body)).status, answer.text).toBe(200);
      const again = await account.post(answer.body);
      expect([again.status, again.body.outcome], answer.text).toEqual([200, 'unchanged']);
    }
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  test('names that every plain object answers are texts like others, in each field', async () => {
    const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
    const records = FIELD_NAMES.flatMap((field) =>
      names.map((name) => ({ ...cleanTruck(), [entryFor(field).names[0] ?? field]: name })),
    );
    for (let start = 0; start < records.length; start += BATCH) {
      const answer = await account.post({ records: records.slice(start, start + BATCH) });
      expect(answer.status, answer.text.slice(0, 500)).toBe(200);
      for (const code of Object.keys(answer.body.rejects_by_code))
        expect(STAGE_CODES.validate).toContain(code);
    }
    for (const name of names)
      for (const query of [`q=${name}`, `make=${name}`, `body_type=${name}`, `model=${name}&near=${name}`])
        expect([200, 400], query).toContain((await account.call('GET', `/v1/inventory?${query}`)).status);
  });

  test('objects and lists that have no text are values like others, in each field', async () => {
    const textless = { toString: 1, valueOf: 1 };
    const records = FIELD_NAMES.flatMap((field) =>
      [textless, [textless], { a: textless }, ['Red', textless]].map((value) => ({
        ...cleanTruck(),
        [entryFor(field).names[0] ?? field]: value,
      })),
    );
    const answer = await account.post({ records });
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    for (const code of Object.keys(answer.body.rejects_by_code)) expect(STAGE_CODES.validate).toContain(code);
  });

  test('single records and root bodies', async () => {
    const roots = mutated(() => ({ records: [cleanTruck()] }), ['records', 'source_provider_id']);
    const bodies = [
      ...sample(hostileRecord(cleanTruck), 150),
      ...sample(hostileValue, 100),
      ...sample(roots, 100),
    ];
    await expectAnswers(bodies, [200, 201, 400, 422], (text) => send('POST', '/v1/inventory', text));
  });

  test('status changes', async () => {
    const truck = cleanTruck();
    await account.post(truck);
    const names = ['vin', 'status', 'source_provider_id', 'source_provider_id'];
    const bodies = sample(
      mutated(() => ({ vin: truck.vin, status: 'sold' }), names),
      300,
    );
    await expectAnswers(bodies, [200, 400, 404], (text) => send('PATCH', '/v1/inventory', text));
  });

  test('dealers', async () => {
    const slug = uniqueSlug();
    const names = ['slug', 'name', 'phone', 'email', 'website', 'address', 'city', 'state', 'zip'];
    const bodies = sample(
      mutated(() => ({ slug, name: 'X' }), names),
      300,
    );
    await expectAnswers(bodies, [200, 201, 400, 404], (text, at) =>
      send(at % 2 ? 'PATCH' : 'POST', '/v1/dealers', text),
    );
  });

  test('operator calls', async () => {
    const { id } = await service.newAccount();
    const names = ['name', 'tier', 'limit_multiplier', 'min_feed_cadence_minutes'];
    const accounts = sample(
      mutated(() => ({ name: 'X', tier: 'pro' }), names),
      120,
    );
    await expectAnswers(accounts, [200, 201, 400], (text, at) =>
      at % 2
        ? send('PATCH', `/api/admin/accounts/${id}`, text, ADMIN_TOKEN)
        : send('POST', '/api/admin/accounts', text, ADMIN_TOKEN),
    );
    const good = () => ({ account_id: id, kind: 'publishable' });
    const keys = sample(mutated(good, ['account_id', 'kind', 'allowed_origins']), 120);
    await expectAnswers(keys, [201, 400, 404], (text) => send('POST', '/api/admin/keys', text, ADMIN_TOKEN));
  });

  test('path and query parameters, encoded well and badly, and header values', async () => {
    const texts = sample(hostileValue, 80).map((value) =>
      String(typeof value === 'object' ? toText(value) : value).slice(0, 2_000),
    );
    const encoded = texts.map((text) => encodeURIComponent(text.toWellFormed()));
    const bad = [
      '%',
      '%0',
      '%zz',
      '%ff',
      '%c3%28',
      '%00',
      'ew',
      'eyJ9',
      'MTphOnp6',
      'Jw',
      '%2f',
      '%2e%2e',
      '..',
      '.',
      '%5c',
      ';',
      '%0d%0a',
      'a'.repeat(7_000),
    ];
    for (const part of [...encoded, ...bad]) {
      // Dots lead out of the path before it is sent.
      const items = /^(?:\.|%2e)*$/.test(part) ? [] : ['/v1/dealers/', '/v1/feeds/', '/v1/leads/'];
      const mine = [
        '/v1/inventory/',
        '/v1/dealers?limit=',
        '/v1/dealers?',
        ...items,
        ...LISTS.map((list) => `${list}?cursor=`),
      ].map((path) => path + part);
      for (const path of mine) expect([200, 400, 404, 405], path).toContain((await send('GET', path)).status);
      const theirs = ['accounts/', 'accounts?cursor=', 'keys?account_id='].map(
        (path) => `/api/admin/${path}${part}`,
      );
      for (const path of theirs) {
        const answer = await send('GET', path, undefined, ADMIN_TOKEN);
        expect([200, 400, 404, 405], path).toContain(answer.status);
      }
      const query = `/v1/inventory?dry_run=${part}&return=${part}`;
      expect([200, 400]).toContain((await send('POST', query, '{"records":[]}')).status);
    }
    for (const text of texts) {
      const value = text.replace(/[^\x20-\x7e\x80-\xff]/g, '?');
      const headers = {
        'idempotency-key': value,
        'if-none-match': value,
        'x-request-id': value,
        'content-type': value,
      };
      const answer = await service.call('POST', '/v1/dealers', {
        token: account.key,
        json: { slug: uniqueSlug(), name: 'X' },
        headers,
      });
      expect([200, 201, 400], value.slice(0, 200)).toContain(answer.status);
    }
  });

  test('left no lone surrogate, no NUL, and no polluted prototype behind', async () => {
    expect(await tablesContaining('\\ud800')).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
