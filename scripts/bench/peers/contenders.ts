import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../tests/support/servers/ports.ts';
import type { RawTruck } from '../../demo/dealer-file.ts';
import type { Served } from '../children.ts';
import { requestBytes } from '../connection.ts';
import { PATH, PROVIDER, type Seller } from '../requests/seller.ts';
import { execute } from './install.ts';
import { createTable, type PeerRow } from './peer-table.ts';

/** The same trucks as the service is sent them, and as the others store them. */
export interface Lot {
  records: readonly RawTruck[];
  rows: readonly PeerRow[];
}

export interface Contender {
  name: string;
  origin: string;
  /** What stores a lot of new trucks, and then their new prices: one request, or as many as it takes. */
  create(lot: Lot, round: number): Buffer[];
  reprice(lot: Lot, round: number): Buffer[];
  read(vin: string, at: number): Buffer;
}

type Start = (script: string, env: Record<string, string>, args?: readonly string[]) => Promise<Served>;

const TOKEN = 'token-of-the-bench';
const call = (method: string, path: string, body?: unknown) => requestBytes(method, path, TOKEN, body);
const prices = (rows: readonly PeerRow[]) => rows.map(({ vin, price, mileage }) => ({ vin, price, mileage }));

export function serviceContender(origin: string, { keys }: Seller): Contender {
  const keyAt = (at: number) => keys[at % keys.length] ?? '';
  const post = ({ records }: Lot, round: number) => [
    requestBytes('POST', PATH, keyAt(round), { source_provider_id: PROVIDER, records }),
  ];
  const read = (vin: string, at: number) => requestBytes('GET', `${PATH}/${vin}`, keyAt(at));
  return { name: 'service', origin, create: post, reprice: post, read };
}

export async function startBare(url: string, start: Start): Promise<Contender> {
  await runSql(url, createTable('peer_bare'));
  const { origin } = await start('scripts/bench/peers/bare-server.ts', { POSTGRES_URL: url });
  const post = ({ rows }: Lot) => [call('POST', '/trucks', rows)];
  const read = (vin: string) => call('GET', `/trucks/${vin}`);
  return { name: 'bare', origin, create: post, reprice: post, read };
}

/** It changes many by one request only where all get the same values. */
export async function startFeathers(url: string, folder: string, start: Start): Promise<Contender> {
  await runSql(url, createTable('peer_feathers'));
  const env = { POSTGRES_URL: url, PORT: String(await freePort()) };
  const { origin } = await start(join(folder, 'feathers.mjs'), env);
  return {
    name: 'Feathers',
    origin,
    create: ({ rows }) => [call('POST', '/trucks', rows)],
    reprice: ({ rows }) => prices(rows).map(({ vin, ...change }) => call('PATCH', `/trucks/${vin}`, change)),
    read: (vin) => call('GET', `/trucks/${vin}`),
  };
}

/** Without its log of revisions, which would be two statements more a truck. */
export async function startDirectus(url: string, folder: string, start: Start): Promise<Contender> {
  await runSql(url, createTable('peer_directus'));
  const env = { ...DIRECTUS, DB_CONNECTION_STRING: url, PORT: String(await freePort()) };
  const cli = join(folder, 'node_modules', 'directus', 'cli.js');
  await execute(process.execPath, [cli, 'bootstrap'], { cwd: folder, env: { ...process.env, ...env } });
  const { origin } = await start(cli, env, ['start']);
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ meta: { accountability: null } });
  const answer = await fetch(`${origin}/collections/peer_directus`, { method: 'PATCH', headers, body });
  if (!answer.ok) throw new Error(`Directus answered ${answer.status}: ${await answer.text()}`);
  return {
    name: 'Directus',
    origin,
    create: ({ rows }) => [call('POST', '/items/peer_directus', rows)],
    reprice: ({ rows }) => [call('PATCH', '/items/peer_directus', prices(rows))],
    read: (vin) => call('GET', `/items/peer_directus/${vin}`),
  };
}

const DIRECTUS = {
  DB_CLIENT: 'pg',
  SECRET: 'secret-of-the-bench-that-is-long-enough',
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: 'password-of-the-bench',
  ADMIN_TOKEN: TOKEN,
  HOST: '127.0.0.1',
  MAX_PAYLOAD_SIZE: '8mb',
  SERVE_APP: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  TELEMETRY: 'false',
  LOG_STYLE: 'raw',
};

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
