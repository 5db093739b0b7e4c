import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from './children.ts';
import { Connection, requestBytes } from './connection.ts';
import { interleaved, median, medianRatio, quantile, timed } from './numbers.ts';
import { startPostgres } from './postgres.ts';
import { fixed, print } from './report.ts';
import { seed } from './requests/batches.ts';
import { ADMIN_TOKEN, newSeller, PATH, PROVIDER, readMember, type Seller } from './requests/seller.ts';
import { readVin } from './requests/singles.ts';
import { BATCH, batchesOfTrucks, repriced } from './trucks.ts';

/**
 * `node scripts/bench/pages.ts`: pages of the dashboard in an account of 100,000 listings, and a batch of which one record
 * in ten is rejected against one without rejects. `--quick` proves that it runs; its figures mean nothing.
 */

const quick = process.argv.includes('--quick');
const SIZE = quick ? { batches: 4, rounds: 3 } : { batches: 200, rounds: 100 };
/** Rounds that are run and not counted. */
const WARM_UP = 2;

const folder = await mkdtemp(join(tmpdir(), 'ctis-bench-pages-'));
const postgres = await startPostgres();
const env = { POSTGRES_URL: postgres.url, ADMIN_TOKEN, DATA_DIR: join(folder, 'data'), PORT: '0' };
const service = await startLocalService(env, join(folder, 'service.log'));
try {
  const seller = await newSeller(service.origin, 40);
  const batches = batchesOfTrucks(SIZE.batches);
  await seed(service.origin, seller, batches);
  await measureRejects(seller, batches);
  await measurePages(seller, readVin(batches[0]?.[0] ?? {}));
} finally {
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measureRejects(seller: Seller, batches: ReturnType<typeof batchesOfTrucks>): Promise<void> {
  const connection = await Connection.open(service.origin);
  let taken = 0;
  const post = (rejected: number) => async (round: number) => {
    const place = taken++ % batches.length;
    const changed = (batches[place] ?? []).map(repriced);
    batches[place] = changed;
    const records = changed.map((truck, at) => (at < rejected ? { ...truck, class: 'class_1' } : truck));
    const key = seller.keys[round % seller.keys.length] ?? '';
    const request = requestBytes('POST', PATH, key, { source_provider_id: PROVIDER, records });
    return timed(async () => {
      const { summary } = readMember(await connection.send(request), 200);
      if (!JSON.stringify(summary).includes(`"rejected":${rejected}`))
        throw new Error(`a batch became ${JSON.stringify(summary)}`);
    });
  };
  const results = await interleaved(WARM_UP + SIZE.rounds, post(0), post(BATCH / 10));
  connection.close();
  const [sound = [], faulty = []] = results.map((times) => times.slice(WARM_UP));
  print(`Batch of ${BATCH} over HTTP, ms          no rejects  10 % rejects   ratio (goal 1.05)`);
  print(
    `  all changed (price)              ${fixed(median(sound), 1)} ${fixed(median(faulty), 1)} ${fixed(medianRatio(faulty, sound), 2)}`,
  );
}

async function measurePages({ accountId }: Seller, vin: string): Promise<void> {
  const cookie = await signIn(accountId);
  const pages = [
    '',
    '/inventory',
    '/inventory?q=sleeper+under+%2490k',
    '/inventory?status=sold',
    `/inventory/${vin}`,
  ];
  pages.push(
    '/issues',
    '/upload',
    '/feeds',
    '/leads',
    '/market',
    '/market?view=trends',
    '/settings',
    '/activity',
  );
  print('Page of the dashboard, ms                 p50      p95 (goal 50)');
  for (const page of pages) {
    const times: number[] = [];
    for (let round = -WARM_UP; round < SIZE.rounds; round++) {
      const spentMs = await timed(async () => {
        const answer = await fetch(`${service.origin}/dashboard${page}`, { headers: { cookie } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
      });
      if (round >= 0) times.push(spentMs);
    }
    print(
      `  ${(page || '/').slice(0, 36).padEnd(36)} ${fixed(median(times), 1)} ${fixed(quantile(times, 0.95), 1)}`,
    );
  }
}

/** The cookie of an owner's session; the account may read market data from now on. */
async function signIn(accountId: string): Promise<string> {
  const admin = async (method: string, path: string, json: unknown) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(service.origin + path, { method, headers, body: JSON.stringify(json) });
    return (await answer.json()) as Record<string, unknown>;
  };
  await admin('PATCH', `/api/admin/accounts/${accountId}`, { tier: 'pro' });
  const person = { account_id: accountId, email: 'owner@bench.example', role: 'owner' };
  const { url } = await admin('POST', '/api/admin/sign-in-links', person);
  const answer = await fetch(String(url), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.origin },
    body: new URLSearchParams({ action: 'sign_in' }),
  });
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('session='));
  if (cookie === undefined) throw new Error(`the sign-in answered ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}
