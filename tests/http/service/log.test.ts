import { describe, expect, test } from 'vitest';
import { readPrincipal } from '../../../lib/accounts/keys/principal.ts';
import { DatabaseDown } from '../../../lib/db/connection/errors.ts';
import { hashSecret } from '../../../lib/outside/secrets/hash-secret.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { guardFor } from '../../support/oracles/conforms.ts';
import { tokenFor, uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { ADMIN_TOKEN, CRON_SECRET, startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

/** The lines that this work writes. */
async function readLines(work: () => Promise<unknown>, from = service): Promise<Record<string, unknown>[]> {
  const before = from.log.length;
  await work();
  return from.log.slice(before);
}

const PERSONAL = {
  name: 'Rosalind Featherstonehaugh',
  email: 'rosalind@featherstonehaugh.example',
  phone: '+1 210 555 0142',
  address: '4100 Interstate 35 N',
};
const EMAIL = encodeURIComponent(PERSONAL.email);

function expectDiscreet(lines: readonly Record<string, unknown>[]): void {
  const text = JSON.stringify(lines);
  const secrets = [account.key.slice(13), ADMIN_TOKEN, CRON_SECRET, ...Object.values(PERSONAL)];
  for (const secret of [...secrets, 'Rosalind', 'featherstonehaugh', '555 0142', 'Interstate'])
    expect(text).not.toContain(secret);
}

describe.each(ENDPOINTS)('$id', (endpoint) => {
  const stage = { service, account };

  test('leaves exactly one line, which names request, route, status and time', async () => {
    const sample = await sampleFor(stage, endpoint);
    let requestId: string | null = null;
    const lines = await readLines(async () => {
      const answer = await sendTo(stage, endpoint, sample);
      requestId = answer.headers.get('x-request-id');
    });
    const byKey = endpoint.guard === 'secret-key' || endpoint.guard === 'widget';
    const owner = byKey ? { account: account.id, key: account.keyId } : {};
    const facts = { level: 'info', request_id: requestId, method: endpoint.method, route: endpoint.id };
    // A run of a feed leaves a line of its own, whoever works on it.
    const [line, ...others] = lines.filter(({ event }) => event !== 'feed_run');
    expect(line).toMatchObject({ ...facts, ...owner, status: expect.any(Number), ms: expect.any(Number) });
    expect(others).toEqual([]);
  });

  test('leaves no token, name, address or phone number in a line, however the request ends', async () => {
    const { path, json = {} } = await sampleFor(stage, endpoint);
    const nonsense = Object.keys(json as object).map((member) => [member, PERSONAL.email]);
    const bodies = endpoint.body
      ? [
          { json: { ...(json as object), ...PERSONAL } },
          { json: Object.fromEntries(nonsense) },
          { raw: `{"name": "${PERSONAL.name}", oops` },
        ]
      : [{}];
    const token = tokenFor(guardFor(endpoint, path), account);
    const lines = await readLines(async () => {
      for (const body of bodies)
        await sendTo(
          stage,
          endpoint,
          { path },
          { ...body, headers: { 'idempotency-key': `${PERSONAL.email}/${uniqueSlug()}` } },
        );
      const paths = [
        endpoint.path.replace(/\{\w+\}/g, EMAIL),
        `${endpoint.path}?email=${EMAIL}&token=${token}`,
      ];
      for (const other of [...paths, `${path}${path.includes('?') ? '&' : '?'}q=${EMAIL}`])
        await service.call(endpoint.method, other, { token });
      const headers = { 'x-request-id': account.key };
      await service.call(endpoint.method, path, { token: `${token}x`, ip: uniqueIp(), headers });
    });
    expect(lines.length).toBeGreaterThan(bodies.length + 3);
    expectDiscreet(lines);
  });
});

test('refusals, stray paths and wrong methods leave one line each, with the code', async () => {
  for (const [method, path, token, code] of [
    ['GET', '/v1/dealers', null, 'UNAUTHORIZED'],
    ['GET', `/v1/${EMAIL}?key=${account.key}`, account.key, 'NOT_FOUND'],
    ['PUT', '/v1/dealers', account.key, 'NOT_FOUND'],
    ['POST', '/v1/inventory', account.key, 'VALIDATION_ERROR'],
  ] as const) {
    const lines = await readLines(() => service.call(method, path, { token, ip: uniqueIp() }));
    expect(lines).toEqual([expect.objectContaining({ level: 'info', method, code })]);
    expectDiscreet(lines);
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
  for (const id of ['a.b:c_d-1', 'x'.repeat(128)]) expect(await findId(id)).toBe(id);
  for (const id of ['a b', 'jane@doe.example', '<script>', '{"a":1}', 'x'.repeat(129), `id-${account.key}`])
    expect(await findId(id)).toBeUndefined();
});

test('no line holds anything of a lead that is captured, flagged as a repeat, refused, or not delivered', async () => {
  const slug = uniqueSlug();
  const url = `https://featherstonehaugh.example/${encodeURIComponent(PERSONAL.name)}`;
  const lead = {
    ...PERSONAL,
    dealerSlug: slug,
    visitorId: PERSONAL.email,
    message: `I am ${PERSONAL.name}, ${PERSONAL.phone}`,
    consent: { text: `${PERSONAL.name} agrees`, page: url },
  };
  const careless = await startService(() => ({
    mailer: {
      send: async (mail) => {
        throw new Error(`550 ${JSON.stringify(mail)}`);
      },
    },
  }));
  const post = async (change: object, headers: Record<string, string> = {}) => {
    const call = { token: account.key, json: { ...lead, ...change }, headers, ip: uniqueIp() };
    return (await careless.call('POST', '/v1/widget/lead', call)).status;
  };
  const lines = await readLines(async () => {
    const destinations = { lead_email: PERSONAL.email, lead_webhook_url: url };
    await account.call('POST', '/v1/dealers', { slug, name: PERSONAL.name, ...destinations });
    const statuses = [await post({}), await post({}), await post({ phone: PERSONAL.name })];
    const refusals = [
      await post({ email: undefined, phone: PERSONAL.name }),
      await post({}, { origin: url }),
    ];
    expect([...statuses, ...refusals]).toEqual([201, 409, 200, 400, 403]);
    await careless.call('GET', '/api/cron/due', { token: CRON_SECRET });
    await expect
      .poll(async () => {
        const { body } = await careless.call('GET', `/v1/leads?dealer=${slug}`, { token: account.key });
        return body.leads[0].delivery[0].last_error;
      })
      .toBe('internal_error');
    await careless.call('GET', '/v1/leads?format=csv', { token: account.key });
  }, careless);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'lead_delivery_failed', error: 'Error' }));
  expectDiscreet([...lines, ...service.log]);
});

test('no line, no answer and no other route tells the secrets of a feed, however its run ends', async () => {
  const secrets = { password: 'pass-quetzal-word', private_key: '-----BEGIN KEY wombat PEM-----' };
  const texts: string[] = [];
  const entries: unknown[] = [];
  const spied = await startService(() => ({
    feedSource: {
      fetch: async ({ password, private_key }) => {
        entries.push({ password, private_key });
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
  expect(entries).toEqual([secrets]);
  expect(lines.length).toBeGreaterThan(6);
  expect(`${JSON.stringify(lines)}${texts.join()}`).not.toMatch(/quetzal|wombat/);
});

test.each([
  [new Error('relation "dealers" is on fire'), 'on fire', /went wrong on our side/],
  [new DatabaseDown(new Error('connect ECONNREFUSED')), 'ECONNREFUSED', /does not answer right now/],
])(
  'a failure of ours is an error line with its cause; the caller sees its request id and when to come back: %s',
  async (error, cause, message) => {
    const fail = () => Promise.reject(error);
    const principal = await readPrincipal(service.ports, hashSecret(account.key), null);
    const broken = await startService(({ db }) => ({
      db: { ...db, query: fail, transaction: fail },
      principals: { forget: () => undefined, read: async () => principal },
      callCounts: { calls: new Map(), writtenMs: Number.POSITIVE_INFINITY },
    }));
    for (const call of [{ json: { slug: uniqueSlug(), ...PERSONAL } }, {}]) {
      const lines = await readLines(async () => {
        const method = call.json ? 'POST' : 'GET';
        const answer = await broken.call(method, '/v1/dealers', { token: account.key, ...call });
        expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
        expect(answer.body.error.message).toMatch(message);
        expect(answer.headers.get('retry-after')).toMatch(/^[123]$/);
        expect(answer.text).not.toContain(cause);
        expect(broken.log.at(-1)?.request_id).toBe(answer.headers.get('x-request-id'));
      }, broken);
      const facts = { level: 'error', status: 500, code: 'INTERNAL_ERROR' };
      expect(lines).toEqual([expect.objectContaining({ ...facts, error: expect.stringContaining(cause) })]);
      expectDiscreet(lines);
    }
  },
);
