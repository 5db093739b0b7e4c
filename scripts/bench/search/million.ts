import type pg from 'pg';
import { wordVector } from '../../../lib/search/queries/search-conditions.ts';
import { toList } from '../../../lib/truck/text/table.ts';

/**
 * A generated account, made inside PostgreSQL: trucks of 25 makes with some 230 models, whose class, body, year, price
 * and mileage hang together as they do on lots, in 50 states, nine tenths of them available.
 */

const MAKES = toList(`
  Freightliner, Kenworth, Peterbilt, International, Volvo, Mack, Ford, Chevrolet, Isuzu, Hino, Ram, GMC,
  Western Star, Mitsubishi Fuso, Autocar, Sterling, UD, Blue Bird, Thomas Built, IC Bus, Oshkosh, Pierce,
  Spartan, Workhorse, Rizon
`);
const STATES =
  'TX CA FL OH PA IL GA NC MI NJ VA WA AZ MA TN IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME MT RI DE SD ND AK VT WY NJ'.split(
    ' ',
  );
const quotedList = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(', ')}]`;

const TRUCKS = `
  create unlogged table truck as
  select n, case when n <= $LISTINGS then $ACCOUNT else 'acc_' || left(md5(((n - $LISTINGS - 1) / $EACH)::text), 24) end as account,
    sha256(('truck ' || n)::bytea) as h, '1FUJ' || lpad(upper(to_hex(n)), 13, '0') as vin, make,
    left(upper(make), 1) || (300 + 20 * (r3 * r3 * 9)::int) as model, year, 'class_' || c as class,
    b[case when r5 < 0.45 then 1 when r5 < 0.75 then 2 when r5 < 0.93 then 3 when r5 < 0.995 then 4 else 5 end] as body,
    case when r1 < 0.9 then 'available' when r1 < 0.97 then 'sold' else 'delisted' end as status,
    case when year >= 2025 then 'new' else 'used' end as condition,
    case when r7 < 0.86 then 'diesel' when r7 < 0.97 then 'gasoline' when r7 < 0.985 then 'natural_gas'
      when r7 < 0.998 then 'electric' else 'hydrogen' end as fuel,
    case when r6 >= 0.08 then greatest(5000,
      ((200000 - (2026 - year) * 8000) * (0.4 + c * 0.08) * (0.8 + r6 * 0.4))::int / 100 * 100) end as price,
    case when year >= 2025 then (r8 * 900)::int else ((2026 - year) * 45000 * (0.5 + r8))::int end as mileage,
    'dealer-' || (r9 * r9 * 200)::int as dealer, states[1 + (r2 * r2 * 49)::int] as state,
    26 + sqrt(r2) * 20 as latitude, -120 + r9 * 45 as longitude, 30 + (r8 * 70)::int as quality,
    r4 * 7 - floor(r4 * 7) < 0.85 as pictured, now() - (n % $LISTINGS) * interval '3 seconds' as updated, 'U' || n as stock
  from (
    select n, random() r1, random() r2, random() r3, random() r4, random() r5, random() r6, random() r7, random() r8,
      random() r9, (power(random(), 2.2) * 24)::int as m from generate_series(1, $LISTINGS + $OTHERS * $EACH) n
  ) dice, lateral (
    select (${quotedList(MAKES)})[m + 1] as make, 2026 - (r4 * r4 * 25)::int as year, ${quotedList(STATES)} as states,
      case when m < 6 then 8 - (r3 > 0.85)::int when m < 12 then 3 + (r3 * 4)::int else 5 + (r3 * 3)::int end as c
  ) lot, lateral (
    select case when c = 8 then array['sleeper_tractor', 'day_cab_tractor', 'dump', 'mixer', 'tanker']
      when c >= 6 then array['box_truck', 'flatbed', 'dump', 'refrigerated_truck', 'crane']
      else array['cab_chassis', 'box_truck', 'service_body', 'flatbed', 'ambulance'] end as b
  ) bodies`;

const DOCUMENT = `format('{"vin":"%s","year":%s,"make":"%s","model":"%s","trim":null,"class":"%s","gvwr":52000,'
  '"body_type":"%s","condition":"%s","price":%s,"mileage":%s,"color":"White","fuel_type":"%s",'
  '"engine":"Cummins ISX15","horsepower":455,"transmission":"Eaton Fuller 10 speed","drivetrain":"6x4","cab":null,'
  '"wheelbase":230,"stock_number":"%s","description":"One owner, full service history. New tires all around, fresh '
  'oil and filters, ready for the road. Financing available.","url":null,"features":["APU","Collision mitigation"],'
  '"source_provider_id":"bench","dedup_hash":"%s","dealer":"%s","location":{"city":null,"state":"%s","zip":null,'
  '"latitude":%s,"longitude":%s,"source":"record"},"attributes":{},'
  '"derived":[]}', vin, year, make, model, class, body, condition, coalesce(price::text, 'null'), mileage, fuel, stock,
  encode(h, 'hex'), dealer, state, latitude, longitude)::json`;

const WORDS = `lower(concat_ws(' ', year, make, model, replace(body, '_', ' '), 'Cummins ISX15', stock, 'White', vin,
  replace(fuel, '_', ' '), condition, state))`;

/** Accounts write in batches, one after another, so that each page of a table holds listings of several. */
const AS_WRITTEN = 'order by hashint4(n / 100)';

const FILLS = [
  `insert into listings (account_id, dedup_hash, vin, source_provider_id, status, version, doc, images, price, dealer,
    quality, observed_at, first_seen_at, updated_at)
  select account, h, vin, 'bench', status, 1, ${DOCUMENT}, '[]', price, dealer,
    json_build_object('score', quality, 'missing', array['zip']), updated, updated, updated
  from truck where account = $ACCOUNT`,
  `insert into listing_search (account_id, dedup_hash, vin, status, make, model, model_year, truck_class, body_type,
    condition, fuel_type, price, mileage, dealer, state, latitude, longitude, quality, has_images, updated_at)
  select account, h, vin, status, make, model, year, class, body, condition, fuel, price, mileage, dealer, state,
    latitude, longitude, quality, pictured, updated from truck ${AS_WRITTEN}`,
  `insert into listing_words (account_id, dedup_hash, words_source, words)
  select account, h, ${WORDS}, ${wordVector('account', WORDS)} from truck ${AS_WRITTEN}`,
  'drop table truck',
];

const TABLES = ['listings', 'listing_search', 'listing_words'];

/** Fills the empty tables of a migrated database: one account, and what others have in the tables of search; indexes are made afterwards, which takes a third of the time. */
export async function fillAccount(
  client: pg.Client,
  accountId: string,
  listings: number,
  others: { accounts: number; listings: number } = { accounts: 0, listings: 1 },
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any($1) and indexname not like '%_pkey'`,
    [TABLES],
  );
  await client.query(
    "set synchronous_commit = off; set maintenance_work_mem = '256MB'; set work_mem = '128MB'",
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const values: Record<string, string> = {
    $ACCOUNT: `'${accountId}'`,
    $LISTINGS: String(listings),
    $OTHERS: String(others.accounts),
    $EACH: String(others.listings),
  };
  for (const text of [TRUCKS, ...FILLS])
    await client.query(text.replaceAll(/\$[A-Z]+/g, (name) => values[name] ?? name));
  for (const { definition } of indexes) await client.query(definition);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}
