import { cellFor, type Observation } from '../../lib/domain/market/market-cell.ts';
import { rowsOf } from './database.ts';
import { CRON_SECRET, type TestService } from './service.ts';

/** Counts of the market beside what a recount from the listings gives. */

export const MODEL_KEY = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** Runs the job until nothing is dirty; another run of this database may hold the lease. */
export async function settleMarket(service: TestService): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { body } = await service.call('GET', '/api/cron/market', { token: CRON_SECRET });
    const [left] = await rowsOf<{ n: number }>('select count(*)::int as n from market_dirty');
    if (body.outcome === 'done' && left?.n === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the market stays dirty');
}

/** Every cell that stands, and every cell that a recount from the listings makes, by key. */
export async function standingAndRecounted() {
  const cells = await rowsOf<{ key: string; tallies: unknown; marks: unknown }>(
    `select json_build_array(level, make, model, model_year, truck_class)::text as key, tallies, marks from market_cells`,
  );
  const listings = await rowsOf<Observation & { make: string; model: string }>(
    `select make, ${MODEL_KEY} as model, account_id as seller, model_year as year, coalesce(truck_class, '') as "truckClass",
      coalesce(body_type, '') as body, coalesce(state, '') as state, coalesce(condition, '') as condition,
      coalesce(fuel_type, '') as fuel, price, mileage from listing_search where status = 'available'`,
  );
  const groups = new Map<string, Observation[]>();
  for (const listing of listings) {
    const { make, model, year, truckClass } = listing;
    const keys = [
      [0, '', '', year, ''],
      [1, '', '', year, truckClass],
      [2, make, '', year, truckClass],
      [3, make, model, year, truckClass],
    ];
    for (const key of keys.map((parts) => JSON.stringify(parts))) {
      const group = groups.get(key);
      if (group) group.push(listing);
      else groups.set(key, [listing]);
    }
  }
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  return {
    standing: new Map(
      cells.map(({ key, tallies, marks }) => [JSON.stringify(JSON.parse(key)), { tallies, marks }]),
    ),
    recounted: new Map([...groups].map(([key, some]) => [key, plain(cellFor(some))])),
  };
}
