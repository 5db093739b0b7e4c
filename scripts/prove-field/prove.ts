import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningService, startService } from '../../lib/local/service.ts';
import { PLANTED, plantField, ROOT } from './plant.ts';

export interface Finding {
  place: string;
  /** What the service answered. */
  actual: unknown;
  hasPassed: boolean;
}

const CRON_SECRET = 'prove-field';
const EMBEDDED = {
  POSTGRES_URL: '',
  POSTGRES_URL_NON_POOLING: '',
  DATABASE_URL: '',
  UPSTASH_REDIS_REST_URL: '',
  KV_REST_API_URL: '',
};
const VINS = { sent: '1XKYDP9X7KJ213301', silent: '1XKYDP9X9KJ213302', fresh: '1XKYDP9X0KJ213303' };
const truck = (vin: string, more: object = {}) => ({
  vin,
  year: 2019,
  make: 'Kenworth',
  gvwr: 52_000,
  ...more,
});

/** Stores trucks by the tree as it is, then serves the same data by a copy in which the field has its entry. */
export async function proveField(): Promise<Finding[]> {
  const data = await mkdtemp(join(tmpdir(), 'prove-field-data-'));
  let copy: string | null = null;
  try {
    const key = await withService(ROOT, data, storeOldTrucks);
    copy = await plantField();
    const tree = copy;
    return await withService(copy, data, async (service) => [
      ...(await askService(service, key)),
      await askDocument(tree),
      await askWidget(tree),
      await compile(tree),
    ]);
  } finally {
    for (const folder of [data, copy]) if (folder) await rm(folder, { recursive: true });
  }
}

async function withService<T>(tree: string, data: string, work: (service: RunningService) => Promise<T>) {
  const local = await import(join(tree, 'lib/local/service.ts'));
  const start: typeof startService = local.startService;
  const env = { ...EMBEDDED, PORT: '0', LOG: 'silent', DATA_DIR: data, CRON_SECRET };
  const service = await start({ env });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function call(service: RunningService, token: string, path: string, body?: object) {
  const answer = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(json)}`);
  return json;
}

/** Returns the account's key. */
async function storeOldTrucks(service: RunningService): Promise<string> {
  const { adminToken } = service;
  const account = await call(service, adminToken, '/api/admin/accounts', { name: 'Proof', tier: 'pro' });
  const newKey = { account_id: account.id, kind: 'secret' };
  const { key } = await call(service, adminToken, '/api/admin/keys', newKey);
  const records = [truck(VINS.sent, { axles: '3' }), truck(VINS.silent)];
  await call(service, key, '/v1/inventory', { records });
  return key;
}

async function askService(service: RunningService, key: string): Promise<Finding[]> {
  const { name } = PLANTED;
  const findings: Finding[] = [];
  const expect = (place: string, actual: unknown, expected: unknown) =>
    findings.push({ place, actual, hasPassed: JSON.stringify(actual) === JSON.stringify(expected) });
  const read = (vin: string) => call(service, key, `/v1/inventory/${vin}`);
  const search = async (query: string) => {
    const { listings } = await call(service, key, `/v1/inventory?${query}&fields=vin,${name}`);
    return listings.map((listing: Record<string, unknown>) => [listing.vin, listing[name] ?? null]).sort();
  };
  const firstPost = await call(service, key, '/v1/inventory', truck(VINS.fresh, { axles: '2' }));
  expect(
    'accepted without a warning',
    firstPost.warnings.map(({ field }: { field: string }) => field).includes(name),
    false,
  );
  expect('stored and returned', (await read(VINS.fresh))[name], 2);
  expect('null for a row stored before', (await read(VINS.silent))[name], null);
  const listing = await read(VINS.sent);
  expect('read from the attribute of a row stored before', listing[name], 3);
  expect('no attribute any more', listing.attributes, {});
  const counts = async () => {
    const { facets } = await call(service, key, '/v1/inventory');
    return facets[name].map(({ value, count }: { value: unknown; count: number }) => [String(value), count]);
  };
  expect('found by value', await search(`${name}=2`), [[VINS.fresh, 2]]);
  expect('a page of search returns rows stored before alike', await search('make=Kenworth'), [
    [VINS.fresh, 2],
    [VINS.sent, 3],
    [VINS.silent, null],
  ]);
  expect('counted by value', await counts(), [['2', 1]]);
  const { result } = await call(service, CRON_SECRET, '/api/cron/housekeeping');
  expect('housekeeping rewrites what was stored before', result.listings_rewritten, 2);
  expect('which is then counted', await counts(), [
    ['2', 1],
    ['3', 1],
  ]);
  expect('and found by range', await search(`${name}_min=3`), [[VINS.sent, 3]]);
  const sample = `VIN,Year,Make,GVWR,Number of Axles\n${VINS.fresh},2019,Kenworth,52000,2`;
  const { columns } = await call(service, key, '/v1/feeds/preview', { sample });
  const column = columns.find((each: { column: string }) => each.column === 'Number of Axles');
  expect('mapped from a feed column', column?.field, name);
  return findings;
}

async function askDocument(tree: string): Promise<Finding> {
  const { describeService } = await import(join(tree, 'scripts/docs/describe-service.ts'));
  const text = JSON.stringify(await describeService({}));
  const places = [`"${PLANTED.name}":{`, `"name":"${PLANTED.name}"`, `"name":"${PLANTED.name}_min"`];
  const actual = places.filter((place) => text.includes(place));
  return { place: 'documented in OpenAPI', actual, hasPassed: actual.length === places.length };
}

async function askWidget(tree: string): Promise<Finding> {
  const { listSpecs }: typeof import('../../lib/truck/card/specs.ts') = await import(
    join(tree, 'lib/truck/card/specs.ts')
  );
  const truck = { vin: VINS.sent, [PLANTED.name]: 3 };
  const actual = listSpecs(truck, 'es', Date.now()).find(({ id }) => id === PLANTED.name);
  const hasPassed = actual?.name === 'Número de ejes' && actual.value === '3';
  return { place: 'shown by the widget in the visitor’s language', actual, hasPassed };
}

/** The code and the tests with the field; what the compiler says is empty when nothing else has to change. */
async function compile(tree: string): Promise<Finding> {
  const began = performance.now();
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const actual = await promisify(execFile)(process.execPath, [compiler], { cwd: tree }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout as string,
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  return { place: `code and tests compile (${seconds} s)`, actual, hasPassed: actual === '' };
}
