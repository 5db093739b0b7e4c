import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { uniqueIp } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** What keeps one caller, or one account with many keys, from what others need. */

let lookUps = 0;
const service = await startService(({ accounts }) => ({
  accounts: {
    ...accounts,
    listsOrigin(origin) {
      lookUps += 1;
      return accounts.listsOrigin(origin);
    },
  },
}));

const newKey = (accountId: string, kind = 'secret') =>
  service.admin('POST', '/api/admin/keys', { account_id: accountId, kind });

test('all keys of an account together have five times the quota of one', async () => {
  const account = await service.newAccount({ limit_multiplier: 1 });
  const statuses: number[] = [];
  for (let made = 0; made < 6; made += 1) {
    const { key } = (await newKey(account.id)).body;
    for (let batch = 0; batch < 9; batch += 1) {
      const answer = await service.call('POST', '/v1/inventory', { token: key, json: { records: [] } });
      statuses.push(answer.status);
    }
  }
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(200));
  expect(statuses.slice(50)).toEqual(Array(4).fill(429));
  const last = await account.call('POST', '/v1/inventory', { records: [] });
  expect(last.body.error.details).toMatchObject({ bucket: 'batches', limit: 50 });
  expect((await account.call('GET', '/v1/dealers')).status).toBe(200);
});

test('a tier has a ceiling of keys that work at a time, whoever asks and how fast', async () => {
  const account = await service.newAccount({ tier: 'starter' });
  const answers = await Promise.all(Array.from({ length: 25 }, () => newKey(account.id)));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(19);
  const [refused] = answers.filter(({ status }) => status !== 201);
  expect(refused?.status).toBe(400);
  expect(refused?.body.error).toMatchObject({
    code: 'INVALID_PAYLOAD',
    details: { reason: 'too_many_keys', fix: expect.stringContaining('Revoke') },
  });
  expect((await service.admin('DELETE', `/api/admin/keys/${made[0]?.body.id}`)).status).toBe(204);
  expect((await newKey(account.id)).status).toBe(201);
});

test('a key’s large bodies are refused unread once it has sent twice as many as it has batches', async () => {
  const account = await service.newAccount({ limit_multiplier: 1 });
  const large = gzipSync(`{"x":"${'\\u0041'.repeat(20_000)}`);
  const send = () =>
    service.call('POST', '/v1/inventory', {
      token: account.key,
      raw: large,
      headers: { 'content-encoding': 'gzip' },
    });
  for (let sent = 0; sent < 20; sent += 1) expect((await send()).status).toBe(400);
  const refused = await send();
  expect([refused.status, refused.body.error.details.bucket]).toEqual([429, 'batches']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await account.post(cleanTruck())).status).toBe(201);
});

test('an address that makes up origins has few of them looked up', async () => {
  const ip = uniqueIp();
  const ask = (n: number) =>
    service.call('GET', '/v1/widget/inventory', { ip, headers: { origin: `https://made-up-${n}.example` } });
  lookUps = 0;
  for (let made = 0; made < 620; made += 1) await ask(made);
  expect(lookUps).toBe(600);
});
