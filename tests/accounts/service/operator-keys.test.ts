import { describe, expect, test } from 'vitest';
import { isWellFormedKey } from '../../../lib/accounts/keys/api-key.ts';
import { rememberBriefly } from '../../../lib/accounts/remember.ts';
import type { Sql, Statement } from '../../../lib/db/sql.ts';
import { hashSecret } from '../../../lib/outside/secrets/hash-secret.ts';
import { queryRows, tablesContaining } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

const service = await startService();
const account = await service.newAccount();

const admin = (method: string, path: string, json?: unknown) =>
  service.admin(method, `/api/admin${path}`, json);
const isIn = async (token: string) => (await service.call('GET', '/v1/dealers', { token })).status === 200;
const newKey = async (more: object = {}) =>
  (await admin('POST', '/keys', { account_id: account.id, kind: 'secret', ...more })).body;

describe('keys', () => {
  test('are shown once; what is stored is a hash, and no table holds the secret', async () => {
    const made = await newKey();
    expect(made.key).toMatch(/^ctis_sk_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(made.key)).toBe(true);
    expect(await isIn(made.key)).toBe(true);
    expect(await tablesContaining(made.key)).toEqual([]);
    expect(await tablesContaining(made.key.slice('ctis_sk_live_'.length, -6))).toEqual([]);
    expect(await tablesContaining(hashSecret(made.key))).toEqual(['public.api_keys']);
    const { keys } = (await admin('GET', `/keys?account_id=${account.id}`)).body;
    const { key, ...rest } = made;
    const listed = keys.find(({ id }: { id: string }) => id === made.id);
    expect(listed).toEqual({ ...rest, last_used_at: expect.any(String) });
    expect(JSON.stringify(keys)).not.toContain(key.slice(-10));
    expect(key.startsWith(rest.prefix)).toBe(true);
  });

  test('tell when they were last used; a scope that is sent twice is one', async () => {
    const made = await newKey({ scopes: ['inventory:read', 'inventory:read'] });
    expect(made).toMatchObject({ scopes: ['inventory:read'], last_used_at: null });
    await isIn(made.key);
    const { keys } = (await admin('GET', `/keys?account_id=${account.id}`)).body;
    const { last_used_at } = keys.find(({ id }: { id: string }) => id === made.id);
    expect(Math.abs(Date.parse(last_used_at) - Date.now())).toBeLessThan(60_000);
  });

  test('an operator’s call about a key that is not there leaves its audit row, too', async () => {
    const id = `key_${Date.now()}absent`;
    expect((await admin('DELETE', `/keys/${id}`)).status).toBe(404);
    expect(await queryRows('select action from audit where target = $1', [id])).toEqual([
      { action: 'key.revoke' },
    ]);
  });

  test('publishable ones carry their origins, in lower case and once each', async () => {
    const allowed_origins = ['https://Dealer.example', 'https://dealer.example', 'http://localhost:3000'];
    const made = await newKey({ kind: 'publishable', allowed_origins });
    expect(made.key).toMatch(/^ctis_wk_live_/);
    expect(made.allowed_origins).toEqual(['https://dealer.example', 'http://localhost:3000']);
  });

  test.each(['dealer.example', 'https://dealer.example/', 'https://*', 'https://a.example\n'])(
    'the origin %j is INVALID_PAYLOAD',
    async (origin) => {
      const body = { account_id: account.id, kind: 'publishable', allowed_origins: [origin] };
      expect((await admin('POST', '/keys', body)).status).toBe(400);
    },
  );

  test('revoked while a request with them is under way are refused on the next request all the same', async () => {
    const { sql } = await useStore();
    const { promise: paused, resolve: go } = Promise.withResolvers<void>();
    const { promise: asked, resolve: nowAsked } = Promise.withResolvers<void>();
    const slow: Sql = {
      ...sql,
      async query<Row>(statement: Statement, params?: readonly unknown[]) {
        const rows = await sql.query<Row>(statement, params);
        if (!statement.text.includes('from api_keys k join accounts')) return rows;
        nowAsked();
        await paused;
        return rows;
      },
    };
    const here = await startService(() => ({ db: slow }));
    const made = await newKey();
    const underWay = here.call('GET', '/v1/dealers', { token: made.key });
    await asked;
    expect((await here.admin('DELETE', `/api/admin/keys/${made.id}`)).status).toBe(204);
    go();
    await underWay;
    expect((await here.call('GET', '/v1/dealers', { token: made.key })).status).toBe(401);
  });

  test('revoked by another instance are refused 5 seconds later', async () => {
    let now = 0;
    const here = await startService(() => ({ principals: rememberBriefly(() => now) }));
    const made = await newKey();
    const status = async () => (await here.call('GET', '/v1/dealers', { token: made.key })).status;
    expect(await status()).toBe(200);
    expect((await admin('DELETE', `/keys/${made.id}`)).status).toBe(204);
    now = 5_000;
    expect(await status()).toBe(401);
  });
});
