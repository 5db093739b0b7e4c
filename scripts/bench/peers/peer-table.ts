import type { RawTruck } from '../../demo/dealer-file.ts';
import { floorRows } from '../floor.ts';
import { DEALER, PROVIDER } from '../requests/seller.ts';

/** The one table that each peer and the bare server have for themselves: a wide row a truck, and four indexes. */

const COLUMN_TYPES = {
  vin: 'text',
  status: 'text',
  price: 'int',
  dealer: 'text',
  quality: 'int',
  make: 'text',
  model: 'text',
  year: 'int',
  class: 'text',
  body: 'text',
  condition: 'text',
  fuel: 'text',
  mileage: 'int',
  state: 'text',
  doc: 'json',
  words: 'text',
} as const;

export type PeerRow = Record<keyof typeof COLUMN_TYPES, unknown>;

export const COLUMNS = Object.keys(COLUMN_TYPES);
export const TYPES = Object.entries(COLUMN_TYPES).map((column) => column.join(' '));

export const createTable = (name: string) => `
  create table ${name} (${TYPES.join(', ')}, primary key (vin));
  create index on ${name} (dealer);
  create index on ${name} (make, model) where status = 'available';
  create index on ${name} using gin (to_tsvector('simple', words))`;

/** Trucks as the peers store them: what our pipeline makes of them is given to the peers. */
export async function toPeerRows(trucks: readonly RawTruck[]): Promise<PeerRow[]> {
  const rows: PeerRow[] = JSON.parse(await floorRows(trucks, { dealer: DEALER, provider: PROVIDER }));
  return rows.map(
    (row) => Object.fromEntries(COLUMNS.map((name) => [name, row[name as keyof PeerRow]])) as PeerRow,
  );
}
