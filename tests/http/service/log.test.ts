import { describe, expect, test } from 'vitest';
import { readPrincipal } from '../../../lib/accounts/keys/principal.ts';
import { DatabaseDown } from '../../../lib/db/connection/errors.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { hashSecret } from '../../../lib/outside/secrets/hash-secret.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { guardFor } from '../../support/oracles/conforms.ts';
import { SAMPLES, tokenFor, uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { ADMIN_TOKEN, CRON_SECRET, startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

/** The lines that this work writes. */
async function readLines(work: () => Promise<unknown>, from = service): Promise<Record<string, unknown>[]> {
  const before = from.log.length;
  await work();
  return from.log.slice(before);
}

test.each(ENDPOINTS)(
  '$id leaves exactly one line, which names request, route, status and time',
  async (endpoint) => {
    const sample = await SAMPLES[endpoint.id]?.({ service, account });
    if (!sample) throw new Error('no sample');
    const { path, ...body } = sample;
    const token = tokenFor(guardFor(endpoint, path), account);
    let requestId: string | null = null;
    const lines = await readLines(async () => {
      const answer = await service.call(endpoint.method, path, { ...body, token });
      requestId = answer.headers.get('x-request-id');
    });
    const byKey = endpoint.guard === 'secret-key' || endpoint.guard === 'widget';
    const who = byKey ? { account: account.id, key: account.keyId } : {};
    const facts = {
      level: 'info',
      request_id: requestId,
      method: endpoint.method,
      route: endpoint.id,
      ...who,
    };
    // A run of a feed leaves a line of its own, whoever works on it.
    const [own, ...others] = lines.filter(({ event }) => event !== 'feed_run');
    expect(own).toMatchObject({ ...facts, status: expect.any(Number), ms: expect.any(Number) });
    expect(others).toEqual([]);
  },
);

test('refusals, stray paths and wrong methods leave one line each, with the code', async () => {
  const cases: [string, string, string | null, string][] = [
    ['GET', '/v1/dealers', null, 'UNAUTHORIZED'],
    ['GET', '/v1/nowhere', account.key, 'NOT_FOUND'],
    ['PUT', '/v1/dealers', account.key, 'NOT_FOUND'],
    ['GET', '/v1/inventory/short', account.key, 'INVALID_VIN'],
    ['POST', '/v1/inventory', account.key, 'VALIDATION_ERROR'],
  ];
  for (const [method, path, token, code] of cases) {
    const lines = await readLines(() => service.call(method, path, { token, ip: uniqueIp() }));
    expect(lines).toEqual([expect.objectContaining({ level: 'info', method, code })]);
  }
});

test('a batch’s line carries its numbers', async () => {
  const records = [cleanTruck(), cleanTruck({ price: 1 })];
  const [line] = await readLines(() => account.post({ records }));
  expect(line).toMatchObject({ received: 2, created: 1, merged: 0, unchanged: 0, rejected: 1 });
});

test('a caller’s own request id is logged beside ours where it is harmless, and never an API key', async () => {
  const findId = async (id: string) => {
    const [line] = await readLines(() =>
      account.call('GET', '/v1/dealers', undefined, { 'x-request-id': id }),
    );
    expect(line?.request_id).not.toBe(id);
    return line?.caller_request_id;
  };
  for (const id of ['abc-123', 'req_abc', 'a.b:c_d', 'x'.repeat(128)]) expect(await findId(id)).toBe(id);
  const harmful = ['a b', 'jane@doe.example', '<script>', '{"a":1}', 'x'.repeat(129), 'é', 'a\tb', '+1(210)'];
  for (const id of [...harmful, account.key, `id-${account.key}`]) expect(await findId(id)).toBeUndefined();
});

const PERSONAL = {
  name: 'Rosalind Featherstonehaugh',
  email: 'rosalind@featherstonehaugh.example',
  phone: '+1 210 555 0142',
  address: '4100 Interstate 35 N',
};
const SECRETS = () => [
  account.key,
  account.key.slice(13),
  ADMIN_TOKEN,
  CRON_SECRET,
  ...Object.values(PERSONAL),
];

function expectDiscreet(lines: readonly Record<string, unknown>[]): void {
  const text = JSON.stringify(lines);
  for (const secret of SECRETS()) expect(text).not.toContain(secret);
  for (const part of ['Rosalind', 'featherstonehaugh', '555 0142', 'Interstate'])
    expect(text).not.toContain(part);
}

test('no line holds a token, a name, an address or a phone number, however the request ends', async () => {
  const slug = uniqueSlug();
  const tokens = { 'secret-key': account.key, operator: ADMIN_TOKEN, cron: CRON_SECRET };
  const lines = await readLines(async () => {
    await account.call('POST', '/v1/dealers', { slug, ...PERSONAL });
    await account.call('PATCH', '/v1/dealers', { slug, ...PERSONAL });
    await account.call('PATCH', '/v1/dealers', { slug: PERSONAL.email, ...PERSONAL });
    await account.call('PATCH', '/v1/dealers', { slug: uniqueSlug(), ...PERSONAL });
    await account.call('PATCH', '/v1/dealers', { slug, ...PERSONAL, email: 'rosalind featherstonehaugh' });
    await account.post(cleanTruck({ ...PERSONAL, description: PERSONAL.phone }));
    await account.post({ ...PERSONAL, vin: PERSONAL.name, year: PERSONAL.phone });
    await service.call('POST', '/v1/inventory', {
      token: account.key,
      raw: `{"name": "${PERSONAL.name}", oops`,
    });
    await service.call('POST', '/v1/inventory', { token: account.key, raw: `"${PERSONAL.email}` });
    await service.admin('POST', '/api/admin/accounts', { name: PERSONAL.name, tier: 'pro' });
    await service.admin('POST', '/api/admin/accounts', { name: PERSONAL.name, tier: PERSONAL.email });
    const query = `email=${encodeURIComponent(PERSONAL.email)}&token=${account.key}`;
    await account.call('GET', `/v1/dealers?${query}&cursor=${encodeURIComponent(PERSONAL.name)}`);
    await account.call('GET', `/v1/${encodeURIComponent(PERSONAL.email)}?${query}`);
    await account.call('POST', '/v1/dealers', { slug, ...PERSONAL }, { 'idempotency-key': PERSONAL.email });
    for (const token of Object.values(tokens)) {
      await service.call('GET', '/v1/dealers', {
        token: `${token}x`,
        ip: uniqueIp(),
        headers: { 'x-request-id': account.key },
      });
      await service.call('GET', `/api/health?deep=1&key=${token}`, { token });
    }
  });
  expect(lines).toHaveLength(20);
  expectDiscreet(lines);
});

test('no line holds anything of a lead, however it ends and wherever it goes', async () => {
  const [slug, plain] = [uniqueSlug(), uniqueSlug()];
  const url = `https://featherstonehaugh.example/${encodeURIComponent(PERSONAL.name)}`;
  const lead = {
    name: PERSONAL.name,
    email: PERSONAL.email,
    phone: PERSONAL.phone,
    visitorId: PERSONAL.email,
    message: `I am ${PERSONAL.name}, ${PERSONAL.phone}`,
    company: PERSONAL.name,
    dealerSlug: slug,
    consent: { text: `${PERSONAL.name} agrees`, page: url },
  };
  const mailed: unknown[] = [];
  const careless = await startService(() => ({
    mailer: {
      send: async (mail) => {
        mailed.push(mail);
        throw new Error(`550 ${JSON.stringify(mail)}`);
      },
    },
  }));
  const post = (json: unknown, headers: Record<string, string> = {}) =>
    careless.call('POST', '/v1/widget/lead', { token: account.key, json, headers, ip: uniqueIp() });
  const lines = await readLines(async () => {
    const ways = { lead_email: PERSONAL.email, lead_webhook_url: url };
    await account.call('POST', '/v1/dealers', { slug, name: PERSONAL.name, ...ways });
    await account.call('POST', '/v1/dealers', { slug: plain, name: PERSONAL.name });
    expect((await post(lead)).status).toBe(201);
    expect((await post(lead)).status).toBe(409);
    expect((await post({ ...lead, phone: PERSONAL.name })).status).toBe(200);
    expect((await post({ ...lead, email: undefined, phone: PERSONAL.name })).status).toBe(400);
    expect((await post({ ...lead, message: undefined })).status).toBe(400);
    expect((await post({ ...lead, dealerSlug: PERSONAL.email })).status).toBe(403);
    expect((await post(lead, { origin: 'https://featherstonehaugh.example' })).status).toBe(403);
    await careless.call('GET', '/api/cron/due', { token: CRON_SECRET });
    await expect.poll(() => mailed.length).toBeGreaterThan(0);
    const listed = await careless.call('GET', `/v1/leads?dealer=${slug}`, { token: account.key });
    expect(listed.body.leads[0].delivery[0].last_error).toBe('internal_error');
    const path = `/v1/leads/${listed.body.leads[0].id}`;
    await careless.call('PATCH', path, { token: account.key, json: { status: PERSONAL.name } });
    await careless.call('GET', `/v1/leads?dealer=${encodeURIComponent(PERSONAL.email)}`, {
      token: account.key,
    });
    await careless.call('GET', '/v1/leads?format=csv', { token: account.key });
    await careless.call('DELETE', path, { token: account.key });
    const search = `q=${encodeURIComponent(PERSONAL.name)}&visitorId=${encodeURIComponent(PERSONAL.email)}`;
    await careless.call('GET', `/v1/widget/inventory?dealerSlug=${plain}&${search}`, { token: account.key });
  }, careless);
  expect(lines.length).toBeGreaterThan(12);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'lead_delivery_failed', error: 'Error' }));
  expectDiscreet([...lines, ...service.log]);
});

test('no line, no answer and no other route tells the secrets of a feed, however its run ends', async () => {
  const secrets = { password: 'pass-quetzal-word', private_key: '-----BEGIN KEY wombat PEM-----' };
  const texts: string[] = [];
  const seen: unknown[] = [];
  const spied = await startService(() => ({
    feedSource: {
      fetch: async ({ password, private_key }) => {
        seen.push({ password, private_key });
        throw new Error(`the client broke off over ${password} and ${private_key}`);
      },
    },
  }));
  const lines = await readLines(async () => {
    const call = async (method: string, path: string, json?: object) => {
      const answer = await spied.call(method, path, { token: account.key, ...(json ? { json } : {}) });
      texts.push(answer.text);
      return answer.body;
    };
    const feed = { name: 'Drop', url: 'sftp://drop.example/trucks.csv', username: 'lone', ...secrets };
    const { id } = await call('POST', '/v1/feeds', feed);
    await call('PATCH', `/v1/feeds/${id}`, secrets);
    await call('POST', '/v1/feeds', { ...feed, url: 'nonsense' });
    await call('POST', `/v1/feeds/${id}/runs?wait=true`);
    await call('GET', `/v1/feeds/${id}/runs`);
    await call('GET', '/v1/feeds');
  }, spied);
  expect(seen).toEqual([secrets]);
  expect(lines.length).toBeGreaterThan(6);
  expect(`${JSON.stringify(lines)}${texts.join()}`).not.toMatch(/quetzal|wombat/);
});

describe('a failure of ours', () => {
  /** Every statement fails as this error does. */
  const failing = (error: Error): Sql => ({
    transactional: false,
    query: () => Promise.reject(error),
    transaction: async (work) => work(failing(error)),
    close: async () => {},
  });

  const brokenBy = async (error: Error) => {
    const bad = failing(error);
    const principal = await readPrincipal(service.ports, hashSecret(account.key), null);
    return startService(() => ({
      db: bad,
      principals: { forget: () => undefined, read: async () => principal },
      callCounts: { calls: new Map(), writtenMs: Number.POSITIVE_INFINITY },
    }));
  };

  test.each([
    [new Error('relation "dealers" is on fire'), 'on fire', /went wrong on our side/],
    [new DatabaseDown(new Error('connect ECONNREFUSED')), 'ECONNREFUSED', /does not answer right now/],
  ])(
    'is an error line with its cause; the caller sees its request id and when to come back: %s',
    async (error, cause, message) => {
      const broken = await brokenBy(error);
      const call = (method: string, path: string, json?: object) =>
        broken.call(method, path, { token: account.key, ...(json ? { json } : {}) });
      const dealer = { slug: uniqueSlug(), ...PERSONAL };
      for (const ask of [
        () => call('PATCH', '/v1/dealers', dealer),
        () => call('POST', '/v1/dealers', dealer),
        () => call('GET', '/v1/dealers'),
        () => broken.admin('POST', '/api/admin/accounts', { name: PERSONAL.name, tier: 'pro' }),
      ]) {
        const [line, ...more] = await readLines(async () => {
          const answer = await ask();
          expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
          expect(answer.body.error.message).toMatch(message);
          expect(answer.headers.get('retry-after')).toMatch(/^[123]$/);
          expect(answer.text).not.toContain(cause);
          expect(broken.log.at(-1)?.request_id).toBe(answer.headers.get('x-request-id'));
        }, broken);
        expect(more).toEqual([]);
        expect(line).toMatchObject({ level: 'error', status: 500, code: 'INTERNAL_ERROR' });
        expect(line?.error).toContain(cause);
        expectDiscreet([line ?? {}]);
      }
    },
  );
});
