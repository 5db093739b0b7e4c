import type { Sql } from '../../../lib/db/sql.ts';
import { MAX_LEVEL } from '../../../lib/market/figures/market-sample.ts';
import { findOthers } from '../../../lib/market/queries/trucks.ts';
import { queryRows } from '../service/database.ts';

interface Row {
  seller: string;
  vin: string;
  make: string;
  market_level: number | null;
  /** Of the secret and the VIN. */
  hash: string;
  status: string;
  in_market: boolean;
}

const ROWS = `
  select s.account_id as seller, s.vin, s.make, s.market_level,
    encode(sha256((select value from secrets where name = 'market_level') || convert_to(s.vin, 'UTF8')), 'hex') as hash, l.status, not a.suspended and a.in_market as in_market
  from listing_search s join accounts a on a.id = s.account_id
    join listings l on l.account_id = s.account_id and l.dedup_hash = s.dedup_hash`;

/** More than any suite lists: nothing is a sample. */
const MAX_TRUCKS = 9_000;

const countLeadingZeros = (hash: string) =>
  Math.min(MAX_LEVEL, Math.clz32(Number.parseInt(hash.slice(0, 8), 16)));

/** What the market answers of every make, beside what the listings themselves say; empty when it is the same. */
export async function marketFaults(db: Sql): Promise<string[]> {
  const rows = await queryRows<Row>(ROWS);
  const misplaced = rows.filter(
    (row) => row.market_level !== null && row.market_level !== countLeadingZeros(row.hash),
  );
  const faults = misplaced.map(({ vin }) => `${vin} is on the wrong level`);
  const listings = rows.filter(
    (row) => row.in_market && row.status === 'available' && row.market_level !== null,
  );
  for (const [make, some] of Map.groupBy(listings, (row) => row.make)) {
    const { trucks, oneIn } = await findOthers(db, 'nobody', { make }, MAX_TRUCKS);
    const expected = new Set(some.map(({ vin }) => vin));
    if (oneIn === 1 && trucks.length !== expected.size)
      faults.push(`${make}: ${trucks.length} trucks in the market, ${expected.size} listed`);
  }
  return faults;
}
