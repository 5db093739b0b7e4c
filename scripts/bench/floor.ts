import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import type { StoredListings } from '../../lib/pipeline/batch/stored-listings.ts';
import { runPipeline } from '../../lib/pipeline/pipeline.ts';
import { decodeVins } from '../../lib/pipeline/vin-decoder/decode-vins.ts';
import { searchText } from '../../lib/search/words/search-text.ts';
import type { ListingChange } from '../../lib/truck/listing/listing-change.ts';
import { toList } from '../../lib/truck/text/table.ts';

/**
 * The floor of a batch: one plain statement that holds none of our design, one wide row each with the search columns
 * and the words in it, four indexes, no history. It looks at nothing that is stored and guards against no other writer.
 */

const TABLE = `
  create table bench_wide (
    account_id text not null, dedup_hash bytea not null, vin text not null, source_provider_id text not null,
    status text not null, input_hash bytea, doc json not null, price integer, dealer text, quality integer not null,
    observed_at timestamptz not null, first_seen_at timestamptz not null, updated_at timestamptz not null,
    make text not null, model text, model_year integer not null, truck_class text, body_type text, condition text,
    fuel_type text, mileage integer, state text, latitude double precision, longitude double precision,
    has_images boolean not null, words tsvector,
    primary key (account_id, dedup_hash)
  );
  create index bench_wide_vin on bench_wide (account_id, vin);
  create index bench_wide_make on bench_wide (account_id, make, model) where status = 'available';
  create index bench_wide_words on bench_wide using gin (words)`;

const FILL = `
  insert into bench_wide
  select l.account_id, l.dedup_hash, l.vin, l.source_provider_id, l.status, l.input_hash, l.doc, l.price, l.dealer,
    s.quality, l.observed_at, l.first_seen_at, l.updated_at, s.make, s.model, s.model_year, s.truck_class, s.body_type,
    s.condition, s.fuel_type, s.mileage, s.state, s.latitude, s.longitude, s.has_images, w.words
  from listings l join listing_search s using (account_id, dedup_hash)
    join listing_words w using (account_id, dedup_hash) where l.account_id = $1
  order by l.first_seen_at, l.dedup_hash`;

const WIDE_COLUMNS = toList(`
  status, input_hash, doc, price, dealer, quality, observed_at, updated_at, make, model, model_year,
  truck_class, body_type, condition, fuel_type, mileage, state, latitude, longitude, has_images, words
`);

const INPUT = `json_to_recordset($2::json) as r(hash text, vin text, provider text, status text, input text, doc json,
  price int, dealer text, quality int, missing json, make text, model text, year int, class text, body text, condition text,
  fuel text, mileage int, state text, latitude float8, longitude float8, images boolean, words text)`;

const UPSERT = `
  insert into bench_wide (account_id, dedup_hash, vin, source_provider_id, status, input_hash, doc, price, dealer,
    quality, observed_at, first_seen_at, updated_at, make, model, model_year, truck_class, body_type, condition,
    fuel_type, mileage, state, latitude, longitude, has_images, words)
  select $1, decode(hash, 'hex'), vin, provider, status, decode(input, 'hex'), doc, price, dealer, quality, now(), now(),
    now(), make, model, year, class, body, condition, fuel, mileage, state, latitude, longitude, images,
    to_tsvector('simple', words)
  from ${INPUT}
  on conflict (account_id, dedup_hash) do update set ${WIDE_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`;

export class Floor {
  readonly #client: pg.Client;
  readonly #account: string;

  private constructor(client: pg.Client, account: string) {
    this.#client = client;
    this.#account = account;
  }

  /** Makes the wide table of what the account has stored. */
  static async open(url: string, account: string): Promise<Floor> {
    const floor = await Floor.empty(url, account);
    await floor.#client.query(FILL, [account]);
    return floor;
  }

  static async empty(url: string, account: string): Promise<Floor> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(TABLE);
    return new Floor(client, account);
  }

  /** Writes rows prepared by `floorRows`. */
  async upsert(rows: string): Promise<void> {
    await this.#client.query({ name: 'floor', text: UPSERT, values: [this.#account, rows] });
  }

  /** What the database would do by itself in time, so that it does not do it while something is measured. */
  async settle(): Promise<void> {
    await this.#quiet();
    await this.#client.query('vacuum analyze');
    await this.#client.query('checkpoint');
  }

  /** Waits for what the service still does about earlier writes: 3 s of hardly a transaction. */
  async #quiet(): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    for (let waited = 0, calm = 0; waited < 120 && calm < 3; waited++) {
      const { rows } = await this.#client.query(
        `select xact_commit::float8 as n from pg_stat_database where datname = current_database()`,
      );
      calm = rows[0].n - before < 10 ? calm + 1 : 0;
      before = rows[0].n;
      await sleep(1_000);
    }
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** The rows the service would write for these records, as the floor's one JSON parameter. */
export async function floorRows(
  records: readonly unknown[],
  { dealer, provider }: { dealer: string; provider: string },
): Promise<string> {
  const changes: ListingChange[] = [];
  const refuse = () => Promise.reject(new Error('only read and write are asked for'));
  const listings: StoredListings = {
    onConflict: 'relock',
    read: async () => ({
      now: 0,
      hasSeveralDealers: false,
      elsewhere: new Map(),
      issues: new Map(),
      onlyDealer: dealer,
      dealers: new Map(),
      listings: new Map(),
      room: null,
    }),
    write: async (batch) => {
      changes.push(...batch);
      return new Set(batch.map(({ enriched }) => enriched.dedupHash));
    },
    lock: refuse,
    findUnlocked: refuse,
    writeIssues: refuse,
  };
  await runPipeline(records, {
    listings,
    searchText,
    maxListingBytes: Number.POSITIVE_INFINITY,
    geocoder: bundledGeocoder(),
    decodeVins: (vins) => decodeVins(vins, new Date().getUTCFullYear()),
    currentYear: new Date().getUTCFullYear(),
    dualUseMakes: [],
    sourceProviderId: provider,
    observedAt: null,
    dryRun: false,
  });
  if (changes.length !== records.length) throw new Error('a record of the bench was refused');
  return JSON.stringify(changes.map(toRow).sort((a, b) => (a.hash < b.hash ? -1 : 1)));
}

function toRow({ enriched: { dedupHash, inputHash, status, doc }, words }: ListingChange) {
  return {
    hash: dedupHash,
    vin: doc.vin,
    provider: doc.source_provider_id ?? '',
    status,
    input: inputHash,
    doc,
    price: doc.price,
    dealer: doc.dealer,
    quality: doc.quality.score,
    missing: doc.quality,
    make: doc.make,
    model: doc.model,
    year: doc.year,
    class: doc.class,
    body: doc.body_type,
    condition: doc.condition,
    fuel: doc.fuel_type,
    mileage: doc.mileage,
    state: doc.location?.state ?? null,
    latitude: doc.location?.latitude ?? null,
    longitude: doc.location?.longitude ?? null,
    images: doc.images.length > 0,
    words,
  };
}
