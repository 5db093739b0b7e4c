import { describe, expect, test } from 'vitest';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { sealedSecrets } from '../../../lib/outside/secrets/secrets.ts';
import { toReceivedValue } from '../../../lib/truck/text/text.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, CRON_SECRET, FEED_SECRET_KEY, startService } from '../../support/service/service.ts';

/** Feeds as resources. What their runs do: runs.test.ts. */

const service = await startService();
const account = await service.newAccount();

const HTTPS = { name: 'Export', url: 'https://dms.example/trucks.csv' };
const SFTP = {
  name: 'Drop',
  url: 'sftp://drop.example/out/trucks.csv',
  username: 'lone',
  password: 'pass-quetzal-word',
};
const post = (body: object, owner = account) => owner.call('POST', '/v1/feeds', body);

/** A new feed, with calls about it. */
async function create(body: object, owner = account) {
  const created = await post(body, owner);
  expect(created.status, created.text).toBe(201);
  const id: string = created.body.id;
  const path = `/v1/feeds/${id}`;
  return {
    id,
    path,
    created: created.body,
    read: () => owner.call('GET', path),
    patch: (change: object) => owner.call('PATCH', path, change),
    run: async () => (await owner.call('POST', `${path}/runs?wait=true`)).body,
    runs: async (query = '') => (await owner.call('GET', `${path}/runs${query}`)).body,
    /** Its row. */
    select: async (columns: string) => {
      const text = `select ${columns} from feeds where account_id = $1 and id = $2`;
      const [row] = await queryRows<Record<string, never>>(text, [owner.id, id]);
      return row ?? {};
    },
    update: (change: string, ...values: unknown[]) =>
      queryRows(`update feeds set ${change} where account_id = $1 and id = $2`, [owner.id, id, ...values]),
  };
}
const ids = (items: { id: string }[]) => items.map(({ id }) => id);

test('a feed is created with defaults, read, listed, changed and deleted', async () => {
  const { created, path, read, patch } = await create(HTTPS);
  expect(created).toMatchObject({
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
    last_run: null,
    has_password: false,
    next_run_at: expect.any(String),
  });
  expect((await read()).body).toEqual(created);
  expect((await account.call('GET', '/v1/feeds')).body.feeds).toContainEqual(created);
  const change = {
    format: 'pipe',
    mapping: { 'Asking $': 'price', Internal: null },
    cadence_minutes: 240,
    misses_before_delist: 2,
    defaults: { class: 'class_8' },
  };
  expect((await patch(change)).body).toMatchObject({ ...change, name: 'Export' });
  expect((await patch({ mapping: null })).body.mapping).toBe(null);
  const remove = async () => (await account.call('DELETE', path)).status;
  expect([await remove(), (await read()).status, await remove()]).toEqual([204, 404, 404]);
});

test('a page of feeds and one of runs lead to the next', async () => {
  const other = await service.newAccount();
  const feeds = [await create(HTTPS, other), await create(HTTPS, other), await create(HTTPS, other)] as const;
  const [{ path, run }] = feeds;
  const runs = [await run(), await run(), await run()];
  /** Two of three, and the third. */
  const walk = async (list: string, name: string) => {
    const first = (await other.call('GET', `${list}?limit=2`)).body;
    const second = (await other.call('GET', `${list}?limit=2&cursor=${first.next_cursor}`)).body;
    expect([first[name].length, second.next_cursor]).toEqual([2, null]);
    return ids([...first[name], ...second[name]]);
  };
  expect(await walk('/v1/feeds', 'feeds')).toEqual(ids([...feeds]).sort());
  expect(await walk(`${path}/runs`, 'runs')).toEqual(ids(runs).reverse());
});

describe('what is refused', async () => {
  const guarded = await startService(({ fetcher }) => ({ fetcher }));
  test.each<[change: object, details: object]>([
    [{ url: 'https://a:b@dms.example/trucks.csv' }, { field: 'url' }],
    [{ url: 'sftp://drop.example/out/' }, { field: 'url' }],
    [{ password: null }, { field: 'password' }],
    [{ host_key_sha256: 'abc' }, { field: 'host_key_sha256' }],
    ...Object.entries({
      url_refused: [
        'https://dms.example:8443/x.csv',
        'sftp://drop.example:2222/x.csv',
        'sftp://127.0.0.1%2fdrop.example/x.csv',
        'sftp://drop.example%3a22/x.csv',
        'sftp://127.0.0.1%20/x.csv',
      ],
      address_refused: [
        'https://10.0.0.1/x.csv',
        'https://nas.local/x.csv',
        'sftp://localhost./x.csv',
        'sftp://127.1/x.csv',
        'sftp://[::ffff:127.0.0.1]/x.csv',
      ],
    }).flatMap(([reason, urls]) =>
      urls.map((url): [object, object] => [
        { url },
        { field: 'url', reason, received: toReceivedValue(url) },
      ]),
    ),
  ])('%j', async (change, details) => {
    const json = { ...SFTP, ...change };
    const { status, body } = await guarded.call('POST', '/v1/feeds', { token: account.key, json });
    const error = { code: 'INVALID_PAYLOAD', details: { ...details, fix: expect.any(String) } };
    expect([status, body.error]).toMatchObject([400, error]);
  });

  test('a change is held against what the feed has already, and what the operator agreed to', async () => {
    const separateAccount = await service.newAccount();
    const { patch } = await create(SFTP, separateAccount);
    expect((await patch({ url: HTTPS.url, password: 'another-one' })).status).toBe(200);
    for (const [field, value] of Object.entries({ username: null, cadence_minutes: 15 }))
      expect((await patch({ [field]: value })).body.error).toMatchObject({
        code: 'INVALID_PAYLOAD',
        details: { field },
      });
    await service.admin('PATCH', `/api/admin/accounts/${separateAccount.id}`, {
      min_feed_cadence_minutes: 15,
    });
    expect((await patch({ cadence_minutes: 15 })).status).toBe(200);
  });
});

describe('secrets', () => {
  test('go to no other server than the one they were sent for, and stay with a file that moves on it', async () => {
    const { patch } = await create({ ...SFTP, private_key: 'pem-text-wombat' });
    for (const url of [
      'sftp://evil.example/out/trucks.csv',
      'sftp://drop.example:2222/out/trucks.csv',
      'https://drop.example/trucks.csv',
    ])
      for (const [change, field] of [
        [{}, 'password'],
        [{ password: 'sent-anew' }, 'private_key'],
      ] as const) {
        const { status, body } = await patch({ url, ...change });
        const error = { code: 'INVALID_PAYLOAD', details: { field } };
        expect([status, body.error], url).toMatchObject([400, error]);
      }
    expect((await patch({ url: 'sftp://Drop.example/in/new.csv' })).status).toBe(200);
    const relocation = { url: HTTPS.url, password: 'sent-anew', private_key: null };
    expect((await patch(relocation)).body).toMatchObject({ url: HTTPS.url, has_password: true });
  });

  test('are stored sealed, bound to their feed, and never answered', async () => {
    const feed = await create({ ...SFTP, private_key: 'pem-text-wombat' });
    expect(feed.created).toMatchObject({ has_password: true, has_private_key: true, username: 'lone' });
    expect(JSON.stringify(feed.created)).not.toMatch(/quetzal|wombat|v1\./);
    const { password = '', row } = await feed.select('password, to_json(feeds)::text as row');
    expect(row).not.toMatch(/quetzal|wombat/);
    const about = `feed ${account.id} ${feed.id}`;
    const secrets = sealedSecrets([FEED_SECRET_KEY]);
    expect(await secrets.open(password, about)).toBe(SFTP.password);
    const cleared = { has_password: true, has_private_key: false };
    expect((await feed.patch({ private_key: null })).body).toMatchObject(cleared);
  });

  test('sealed under an old key are sealed under the new one with the next run; under a lost key runs fail and health shows it, until they are set again', async () => {
    const { id, path, patch, run, select } = await create({ ...SFTP, enabled: false });
    const newKey = Buffer.alloc(32, 7).toString('base64');
    const passwords: (string | null)[] = [];
    const rotated = await startService(() => ({
      secrets: sealedSecrets([newKey, FEED_SECRET_KEY]),
      feedSource: {
        fetch: async ({ password }) => {
          passwords.push(password);
          return 'not_modified';
        },
      },
    }));
    const response = await rotated.call('POST', `${path}/runs?wait=true`, { token: account.key });
    expect([response.body.status, passwords]).toEqual(['unchanged', [SFTP.password]]);
    const { password = '' } = await select('password');
    expect(await sealedSecrets([newKey]).open(password, `feed ${account.id} ${id}`)).toBe(SFTP.password);
    expect(await run()).toMatchObject({ status: 'failed', error: { reason: 'secret_unreadable' } });
    const note = expect.stringMatching(/FEED_SECRET_KEY/);
    const health = await service.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
    expect(health.body.parts.feed_keys).toMatchObject({ ok: false, note });
    await patch({ password: SFTP.password });
    expect((await run()).error.reason).not.toBe('secret_unreadable');
  });

  test('without a key are refused by name, not answered as a fault to try again', async () => {
    const keyless = await startService(() => ({ secrets: sealedSecrets([]) }));
    const webhook = { slug: uniqueSlug(), name: 'A', lead_webhook_url: 'https://crm.dealer.example/hook' };
    for (const [path, json] of [
      ['/v1/feeds', SFTP],
      ['/v1/dealers', webhook],
    ] as const) {
      const { status, body } = await keyless.call('POST', path, { token: account.key, json });
      expect([status, body.error.details.reason]).toEqual([400, 'secrets_not_configured']);
    }
  });
});

describe('the clock', () => {
  const cron = () => drain(service.ports, feedWork);

  test('runs a feed that is due once, however many crons come, and waits longer after every failure', async () => {
    const feed = await create(HTTPS);
    /** At the next whole hour from then on. */
    const expectDueIn = async (least: number) => {
      const { minutes } = await feed.select(`date_part('epoch', next_run_at - now()) / 60 as minutes`);
      expect(minutes).toBeGreaterThan(least - 1);
      expect(minutes).toBeLessThan(least + 61);
    };
    await Promise.all([cron(), cron(), cron()]);
    expect((await feed.runs()).runs).toMatchObject([{ status: 'failed' }]);
    await expectDueIn(50);
    await cron();
    expect((await feed.runs()).runs).toHaveLength(1);
    for (const minutes of [120, 240, 480, 960, 1440, 1440]) {
      await feed.run();
      await expectDueIn(minutes - 10);
    }
  });

  test.each([
    [60, 60, 0],
    [90, 30, 45],
    [1440, 60, 3],
  ])(
    'has all feeds of %i minutes due at the same marks, %i minutes apart, none before its cadence has passed',
    async (cadence, slot, lateMinutes) => {
      const { id, select, update } = await create({ ...HTTPS, cadence_minutes: cadence });
      await update('next_run_at = now() - make_interval(mins => $3)', lateMinutes);
      await beginRun(service.ports.db, account.id, id, `run_${id}`);
      const minutes = (time: string) => `date_part('epoch', ${time}) / 60`;
      const { next = 0, now = 0 } = await select(
        `${minutes('next_run_at')} as next, ${minutes('now()')} as now`,
      );
      const waited = next - now + Math.min(lateMinutes, 10);
      expect(next % slot).toBe(0);
      expect(waited).toBeGreaterThan(cadence - 1);
      expect(waited).toBeLessThan(cadence + slot + 1);
    },
  );

  test('leaves out feeds that are switched off, and those of suspended accounts', async () => {
    const other = await service.newAccount();
    const suspend = (suspended: boolean) =>
      service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended });
    const off = await create({ ...HTTPS, enabled: false });
    const foreign = await create(HTTPS, other);
    expect(off.created.next_run_at).toBe(null);
    await suspend(true);
    await cron();
    await suspend(false);
    expect([(await off.runs()).runs, (await foreign.runs()).runs]).toEqual([[], []]);
    expect((await off.patch({ enabled: true })).body.next_run_at).not.toBe(null);
  });

  test('a run asked for while one is under way is that run', async () => {
    const { id, path } = await create({ ...HTTPS, enabled: false });
    await queryRows(
      `insert into feed_runs (account_id, id, feed_id, status) values ($1, $2, $3, 'running')`,
      [account.id, `run_busy_${id}`, id],
    );
    const { status, body } = await account.call('POST', `${path}/runs`);
    expect([status, body]).toMatchObject([202, { id: `run_busy_${id}`, status: 'running' }]);
  });
});

test('housekeeping removes raw files that a run left behind, and forgets runs of long ago but for the newest', async () => {
  const feed = await create({ ...HTTPS, enabled: false });
  const { id } = await feed.run();
  const sha256 = 'ab'.repeat(32);
  const key = `feeds/${account.id}/${id}/${sha256}`;
  await service.ports.objects.put(key, Buffer.from('vin'), 'text/csv');
  await queryRows(
    `update feed_runs set raw = true, sha256 = $3, finished_at = now() - interval '1 hour' where account_id = $1 and id = $2`,
    [account.id, id, sha256],
  );
  await queryRows(
    `insert into feed_runs (account_id, id, feed_id, status, finished_at)
    select $1, 'run_old_' || n, $2, 'failed', now() - interval '91 days' from generate_series(1, 22) n`,
    [account.id, feed.id],
  );
  await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET });
  expect(await service.ports.objects.get(key)).toBe(null);
  const runIds = ids((await feed.runs('?limit=100')).runs);
  // Twenty stay; the one of just now is older by its number, but not by its time.
  expect(runIds).toHaveLength(21);
  expect(runIds).toContain(id);
});
