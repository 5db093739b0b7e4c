import { describe, expect, test } from 'vitest';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { workOff } from '../../../lib/jobs/work-off.ts';
import { sealedSecrets } from '../../../lib/outside/secrets/secrets.ts';
import { received } from '../../../lib/truck/text/text.ts';
import { PRIVATE_LITERALS } from '../../outside/fetcher/hostile-urls.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, CRON_SECRET, FEED_SECRET_KEY, startService } from '../../support/service/service.ts';

/** Feeds as resources. What their runs do: feeds-runs.test.ts. */

const service = await startService();
const account = await service.newAccount();

const HTTPS = { name: 'Export', url: 'https://dms.example/trucks.csv' };
const SFTP = {
  name: 'Drop',
  url: 'sftp://drop.example/out/trucks.csv',
  username: 'lone',
  password: 'pass-quetzal-word',
};
const post = (body: object) => account.call('POST', '/v1/feeds', body);

test('a feed is created with defaults, read, listed, changed and deleted', async () => {
  const created = await post(HTTPS);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    ...HTTPS,
    protocol: 'https',
    format: null,
    mapping: null,
    defaults: {},
    dealer: null,
    cadence_minutes: 60,
    misses_before_delist: 1,
    enabled: true,
    class_from_vin: false,
    zero_price_is_call: true,
    last_run: null,
    has_password: false,
    next_run_at: expect.any(String),
  });
  const path = `/v1/feeds/${created.body.id}`;
  expect((await account.call('GET', path)).body).toEqual(created.body);
  const listed = await account.call('GET', '/v1/feeds');
  expect(listed.body.feeds).toContainEqual(created.body);
  const change = { format: 'pipe', mapping: { 'Asking $': 'price', Internal: null }, cadence_minutes: 240 };
  const changed = await account.call('PATCH', path, { ...change, defaults: { class: 'class_8' } });
  expect(changed.body).toMatchObject({ ...change, defaults: { class: 'class_8' }, name: 'Export' });
  expect((await account.call('PATCH', path, { mapping: null })).body.mapping).toBe(null);
  expect((await account.call('DELETE', path)).status).toBe(204);
  expect((await account.call('GET', path)).status).toBe(404);
  expect((await account.call('DELETE', path)).status).toBe(404);
});

test('a page of feeds and one of runs lead to the next', async () => {
  const other = await service.newAccount();
  for (let count = 0; count < 3; count += 1) await other.call('POST', '/v1/feeds', HTTPS);
  const first = await other.call('GET', '/v1/feeds?limit=2');
  const second = await other.call('GET', `/v1/feeds?limit=2&cursor=${first.body.next_cursor}`);
  expect([first.body.feeds.length, second.body.feeds.length, second.body.next_cursor]).toEqual([2, 1, null]);
  const path = `/v1/feeds/${first.body.feeds[0].id}/runs`;
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.unshift((await other.call('POST', `${path}?wait=true`)).body.id);
  const newest = await other.call('GET', `${path}?limit=2`);
  const rest = await other.call('GET', `${path}?limit=2&cursor=${newest.body.next_cursor}`);
  const told = [...newest.body.runs, ...rest.body.runs].map((run: { id: string }) => run.id);
  expect(told).toEqual(ids);
});

describe('what is refused', async () => {
  const guarded = await startService(({ fetcher }) => ({ fetcher }));
  const refused: [string, object, string][] = [
    ['a cadence faster than agreed', { ...HTTPS, cadence_minutes: 59 }, 'cadence_minutes'],
    ['http', { ...HTTPS, url: 'http://dms.example/trucks.csv' }, 'url'],
    ['credentials in the URL', { ...HTTPS, url: 'https://a:b@dms.example/trucks.csv' }, 'url'],
    ['no URL', { ...HTTPS, url: 'trucks.csv' }, 'url'],
    ['SFTP without a user', { ...SFTP, username: null }, 'username'],
    ['SFTP without a credential', { ...SFTP, password: null }, 'password'],
    ['a malformed host key', { ...SFTP, host_key_sha256: 'abc' }, 'host_key_sha256'],
    ['an unknown dealer', { ...HTTPS, dealer: 'nobody-has-this' }, 'dealer'],
    ['a field that records do not have', { ...HTTPS, mapping: { A: 'nonsense' } }, 'mapping.A'],
    ['a format that is not read', { ...HTTPS, format: 'xls' }, 'format'],
    ['no name', { url: HTTPS.url }, 'name'],
    ['a directory', { ...SFTP, url: 'sftp://drop.example/out/' }, 'url'],
  ];
  test.each(refused)('%s', async (_, body, field) => {
    const answer = await post(body);
    expect([answer.status, answer.body.error.code], answer.text).toEqual([400, 'INVALID_PAYLOAD']);
    expect(answer.body.error.details.field).toBe(field);
  });

  test.each([
    ['https://10.0.0.1/x.csv', 'address_refused'],
    ['https://[::1]/x.csv', 'address_refused'],
    ['https://localhost/x.csv', 'address_refused'],
    ['https://nas.local/x.csv', 'address_refused'],
    ['https://dms.example:8443/x.csv', 'url_refused'],
    ['sftp://127.1/x.csv', 'address_refused'],
    ['sftp://drop.example:2222/x.csv', 'url_refused'],
    ['sftp://127.0.0.1%2f/x.csv', 'url_refused'],
    ['sftp://127.0.0.1%2fdrop.example/x.csv', 'url_refused'],
    ['sftp://drop.example%3a22/x.csv', 'url_refused'],
    ['sftp://127.0.0.1%20/x.csv', 'url_refused'],
    ['sftp://localhost./x.csv', 'address_refused'],
    ['sftp://[::ffff:127.0.0.1]/x.csv', 'address_refused'],
    ...PRIVATE_LITERALS.filter((url) => url.endsWith(':$/')).map((url) => [
      url.replace(/^https?:/, 'sftp:').replace(':$/', '/x.csv'),
      'address_refused',
    ]),
  ])('what no run would ever fetch: %s', async (url, reason) => {
    const { status, body } = await guarded.call('POST', '/v1/feeds', {
      token: account.key,
      json: { ...(url.startsWith('sftp') ? SFTP : HTTPS), url },
    });
    expect([status, body.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(body.error.details).toMatchObject({ field: 'url', reason, received: received(url) });
  });

  test('each with a fix where more than its form is wrong', async () => {
    const answer = await post({ ...HTTPS, cadence_minutes: 59 });
    expect(answer.body.error.details.fix).toMatch(/at least 60/);
  });

  test('a faster cadence is taken once the operator agreed to it', async () => {
    await service.admin('PATCH', `/api/admin/accounts/${account.id}`, { min_feed_cadence_minutes: 15 });
    expect((await post({ ...HTTPS, cadence_minutes: 15 })).status).toBe(201);
    await service.admin('PATCH', `/api/admin/accounts/${account.id}`, { min_feed_cadence_minutes: 60 });
  });

  test('a change is held against what the feed has already', async () => {
    const feed = await post(SFTP);
    const path = `/v1/feeds/${feed.body.id}`;
    const moved = { url: HTTPS.url, password: 'another-one' };
    expect((await account.call('PATCH', path, moved)).status).toBe(200);
    expect((await account.call('PATCH', path, { username: null })).body.error.details.field).toBe('username');
    expect((await account.call('PATCH', path, { cadence_minutes: 5 })).body.error.code).toBe(
      'INVALID_PAYLOAD',
    );
  });
});

describe('secrets', () => {
  const elsewhere = [
    'sftp://evil.example/out/trucks.csv',
    'sftp://drop.example:2222/out/trucks.csv',
    'https://drop.example/trucks.csv',
  ];
  test.each(elsewhere)('go to no other server than the one they were sent for: %s', async (url) => {
    const { body } = await post(SFTP);
    const patch = (change: object) => account.call('PATCH', `/v1/feeds/${body.id}`, change);
    const kept = await patch({ url });
    expect([kept.status, kept.body.error?.code, kept.body.error?.details.field]).toEqual([
      400,
      'INVALID_PAYLOAD',
      'password',
    ]);
    expect((await patch({ url, password: 'sent-anew' })).body).toMatchObject({ url, has_password: true });
  });

  test('stay with a file that moves on its server', async () => {
    const { body } = await post({ ...SFTP, private_key: 'pem-text-wombat' });
    const patch = (change: object) => account.call('PATCH', `/v1/feeds/${body.id}`, change);
    expect((await patch({ url: 'sftp://Drop.example/in/new.csv' })).status).toBe(200);
    const moved = await patch({ url: 'sftp://evil.example/new.csv', password: 'sent-anew' });
    expect(moved.body.error.details.field).toBe('private_key');
  });

  test('are stored sealed, bound to their feed, and never answered', async () => {
    const { body, text } = await post({ ...SFTP, private_key: 'pem-text-wombat' });
    expect(body).toMatchObject({ has_password: true, has_private_key: true, username: 'lone' });
    expect(text).not.toMatch(/quetzal|wombat|v1\./);
    const [row] = await queryRows<{ password: string; private_key: string; all: string }>(
      `select password, private_key, to_json(f)::text as all from feeds f where account_id = $1 and id = $2`,
      [account.id, body.id],
    );
    expect(row?.all).not.toMatch(/quetzal|wombat/);
    const about = `feed ${account.id} ${body.id}`;
    const secrets = sealedSecrets([FEED_SECRET_KEY]);
    expect(await secrets.open(row?.password ?? '', about)).toBe(SFTP.password);
    expect(await secrets.open(row?.private_key ?? '', about)).toBe('pem-text-wombat');
    await expect(secrets.open(row?.password ?? '', `${about}x`)).rejects.toThrow();
    const cleared = await account.call('PATCH', `/v1/feeds/${body.id}`, { private_key: null });
    expect(cleared.body).toMatchObject({ has_password: true, has_private_key: false });
  });

  test('sealed under an old key are opened and sealed under the new one with the next run', async () => {
    const old = sealedSecrets([Buffer.alloc(32, 7).toString('base64')]);
    const both = sealedSecrets([FEED_SECRET_KEY, Buffer.alloc(32, 7).toString('base64')]);
    const own = await service.newAccount();
    const { body } = await own.call('POST', '/v1/feeds', SFTP);
    const about = `feed ${own.id} ${body.id}`;
    const passwords: (string | null)[] = [];
    const rotated = await startService(() => ({
      secrets: both,
      feedSource: {
        fetch: async ({ password }) => {
          passwords.push(password);
          return 'not_modified';
        },
      },
    }));
    await queryRows(`update feeds set password = $3 where account_id = $1 and id = $2`, [
      own.id,
      body.id,
      await old.seal('sealed long ago', about),
    ]);
    const run = await rotated.call('POST', `/v1/feeds/${body.id}/runs?wait=true`, { token: own.key });
    expect([run.body.status, passwords]).toEqual(['unchanged', ['sealed long ago']]);
    const [row] = await queryRows<{ password: string }>(
      `select password from feeds where account_id = $1 and id = $2`,
      [own.id, body.id],
    );
    expect(await sealedSecrets([FEED_SECRET_KEY]).open(row?.password ?? '', about)).toBe('sealed long ago');
  });
});

test('without a key secrets are refused by name, not answered as a fault to try again', async () => {
  const keyless = await startService(() => ({ secrets: sealedSecrets([]) }));
  const call = (path: string, json: unknown) => keyless.call('POST', path, { token: account.key, json });
  const webhook = { slug: uniqueSlug(), name: 'A', lead_webhook_url: 'https://crm.dealer.example/hook' };
  for (const refused of [await call('/v1/feeds', SFTP), await call('/v1/dealers', webhook)])
    expect([refused.status, refused.body.error.details.reason]).toEqual([400, 'secrets_not_configured']);
});

test('a lost key fails the run and shows in health, until the secret is set again', async () => {
  const lost = sealedSecrets([Buffer.alloc(32, 9).toString('base64')]);
  const { body } = await post(SFTP);
  const later = await startService(() => ({ secrets: lost }));
  const run = await later.call('POST', `/v1/feeds/${body.id}/runs?wait=true`, { token: account.key });
  expect([run.body.status, run.body.error.reason]).toEqual(['failed', 'secret_unreadable']);
  const health = await later.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
  expect(health.body.parts.feed_keys).toMatchObject({
    ok: false,
    note: expect.stringMatching(/FEED_SECRET_KEY/),
  });
});

describe('the clock', () => {
  const due = (id: string) =>
    queryRows<{ minutes: number }>(
      `select date_part('epoch', next_run_at - now()) / 60 as minutes from feeds where account_id = $1 and id = $2`,
      [account.id, id],
    );
  /** At the next whole hour from then on. */
  const expectDueIn = async (id: string, least: number) => {
    const [{ minutes } = { minutes: 0 }] = await due(id);
    expect(minutes).toBeGreaterThan(least - 1);
    expect(minutes).toBeLessThan(least + 61);
  };
  const cron = () => workOff(service.ports, feedWork);
  const listRuns = async (id: string) => (await account.call('GET', `/v1/feeds/${id}/runs`)).body.runs;

  test('runs a feed that is due once, however many crons come, and waits longer after every failure', async () => {
    const { body } = await post(HTTPS);
    await Promise.all([cron(), cron(), cron()]);
    expect((await listRuns(body.id)).map((run: { status: string }) => run.status)).toEqual(['failed']);
    await expectDueIn(body.id, 50);
    await cron();
    expect(await listRuns(body.id)).toHaveLength(1);
    for (const minutes of [120, 240, 480, 960, 1440, 1440]) {
      await account.call('POST', `/v1/feeds/${body.id}/runs?wait=true`);
      await expectDueIn(body.id, minutes - 10);
    }
  });

  test.each([
    [60, 60],
    [90, 30],
    [1440, 60],
  ])(
    'has all feeds of %i minutes due at the same marks, %i minutes apart, none before its cadence has passed',
    async (cadence, slot) => {
      for (const late of [0, 3, 45]) {
        const { body } = await post({ ...HTTPS, cadence_minutes: cadence });
        const own = [account.id, body.id];
        await queryRows(
          `update feeds set next_run_at = now() - make_interval(mins => $3) where account_id = $1 and id = $2`,
          [...own, late],
        );
        await beginRun(service.ports.db, account.id, body.id, `run_${body.id}`);
        const [row] = await queryRows<{ next: number; now: number }>(
          `select date_part('epoch', next_run_at) / 60 as next, date_part('epoch', now()) / 60 as now
        from feeds where account_id = $1 and id = $2`,
          own,
        );
        const { next = 0, now = 0 } = row ?? {};
        const waited = next - now + Math.min(late, 10);
        expect(next % slot).toBe(0);
        expect(waited).toBeGreaterThan(cadence - 1);
        expect(waited).toBeLessThan(cadence + slot + 1);
      }
    },
  );

  test('leaves out feeds that are switched off, and those of suspended accounts', async () => {
    const other = await service.newAccount();
    const off = await post({ ...HTTPS, enabled: false });
    const foreign = await other.call('POST', '/v1/feeds', HTTPS);
    expect(off.body.next_run_at).toBe(null);
    await service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended: true });
    await cron();
    await service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended: false });
    expect(await listRuns(off.body.id)).toEqual([]);
    expect((await other.call('GET', `/v1/feeds/${foreign.body.id}`)).body.last_run).toBe(null);
    expect(
      (await account.call('PATCH', `/v1/feeds/${off.body.id}`, { enabled: true })).body.next_run_at,
    ).not.toBe(null);
  });

  test('a run asked for while one is under way is that run', async () => {
    const { body } = await post({ ...HTTPS, enabled: false });
    await queryRows(
      `insert into feed_runs (account_id, id, feed_id, status, due_at) values ($1, $2, $3, 'running', now() + interval '1 hour')`,
      [account.id, `run_busy_${body.id}`, body.id],
    );
    const answer = await account.call('POST', `/v1/feeds/${body.id}/runs`);
    expect([answer.status, answer.body.id, answer.body.status]).toEqual([
      202,
      `run_busy_${body.id}`,
      'running',
    ]);
  });
});

test('housekeeping removes raw files that a run left behind, and forgets runs of long ago but for the newest', async () => {
  const { body } = await post({ ...HTTPS, enabled: false });
  const path = `/v1/feeds/${body.id}/runs`;
  const { id } = (await account.call('POST', `${path}?wait=true`)).body;
  const key = `feeds/${account.id}/${id}/${'ab'.repeat(32)}`;
  await service.ports.objects.put(key, Buffer.from('vin'), 'text/csv');
  await queryRows(
    `update feed_runs set raw = true, sha256 = $3, finished_at = now() - interval '1 hour' where account_id = $1 and id = $2`,
    [account.id, id, 'ab'.repeat(32)],
  );
  await queryRows(
    `insert into feed_runs (account_id, id, feed_id, status, finished_at)
    select $1, 'run_old_' || n, $2, 'failed', now() - interval '91 days' from generate_series(1, 22) n`,
    [account.id, body.id],
  );
  const { result } = (await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET })).body;
  expect(result.feed_files_removed).toBeGreaterThanOrEqual(1);
  expect(await service.ports.objects.get(key)).toBe(null);
  const kept = (await account.call('GET', `${path}?limit=100`)).body.runs.map(
    (run: { id: string }) => run.id,
  );
  // Twenty stay; the one of just now is older by its number, but not by its time.
  expect(kept).toHaveLength(21);
  expect(kept).toContain(id);
});
