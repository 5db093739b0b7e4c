import type { Call } from './call.ts';

/** One call of the story: what the guide, the reference and the OpenAPI document show as its example. */
export interface Step {
  title: string;
  call: Call;
  /** The status it must be answered with; default 200. */
  status?: number;
}

/** A step as it is written: `call` is the method and the path. */
type WrittenStep = Omit<Step, 'call'> &
  Omit<Call, 'method' | 'path'> & { call: `${Call['method']} /${string}` };

function toStep({ title, status, call, ...rest }: WrittenStep): Step {
  const [method, path] = call.split(' ') as [Call['method'], string];
  return { title, call: { method, path, ...rest }, ...(status === undefined ? {} : { status }) };
}

const CASCADIA = {
  vin: '3AKJHHDR0KSKA1234',
  year: 2019,
  make: 'Freightliner',
  model: 'Cascadia 126',
  class: 'class_8',
  gvwr: 52000,
  body_type: 'sleeper tractor',
  condition: 'used',
  price: 68900,
  mileage: 412350,
  engine: 'Detroit DD15',
  transmission: 'Detroit DT12 automated',
  drivetrain: '6x4',
  stock_number: 'U10482',
  source_provider_id: 'dms-1',
  location: { zip: '78219' },
  images: ['https://dealer.example/trucks/U10482-1.jpg'],
  sleeper_size: '72 in',
};

/** What every record of the truck has to say. */
const IDENTITY = {
  vin: CASCADIA.vin,
  year: CASCADIA.year,
  make: CASCADIA.make,
  source_provider_id: CASCADIA.source_provider_id,
};

const BATCH = [
  {
    VIN: '1XKYD49X7NJ471003',
    modelYear: '2022',
    manufacturer: 'KW',
    model: 'T680',
    class: 'Class 8',
    price: '$129,500',
    odometer: '188,040 mi',
  },
  { vin: 'JALC4W167M7001004', year: 2021, make: 'Isuzu', model: 'NPR HD', gvwr: '14,500 lbs', price: null },
  { vin: '1FT8W3BT9KED01009', year: 2019, make: 'Ford', model: 'F-350', price: 41900 },
];

const WITH_PHOTOS = {
  vin: '2NP2HJ7X6NM801007',
  year: 2022,
  make: 'Peterbilt',
  model: '337',
  class: 'class_7',
  body_type: 'box truck',
  price: 84500,
  images: ['https://dealer.example/trucks/U10511-1.jpg', 'https://dealer.example/trucks/U10511-2.jpg'],
};

/** What other sellers have for sale while the story runs: batches, each of one seller. */
export const MARKET: readonly Call[] = [0, 1, 2].map((seller) => ({
  method: 'POST',
  path: '/v1/inventory',
  json: { records: Array.from({ length: 8 }, (_, at) => marketTruck(seller, at)) },
}));

function marketTruck(seller: number, at: number) {
  const year = 2018 + (at % 3);
  return {
    vin: `3AKJHHDR${at}${'JKL'[at % 3]}SK${seller}200${at}`,
    year,
    make: 'Freightliner',
    model: 'Cascadia 126',
    class: 'class_8',
    body_type: 'sleeper tractor',
    condition: 'used',
    price: 52_000 + (year - 2018) * 9_000 + seller * 1_500 + at * 800,
    mileage: 560_000 - (year - 2018) * 60_000 - at * 9_000,
    state: ['TX', 'OK', 'TX'][seller],
  };
}

const READ = { call: 'GET /v1/inventory/3AKJHHDR0KSKA1234' } as const;
const SOLD = {
  call: 'PATCH /v1/inventory',
  headers: { 'Idempotency-Key': 'sold-U10482' },
  json: { vin: '3AKJHHDR0KSKA1234', status: 'sold' },
} as const;

/** In the order they are performed, on one seller. */
const STEPS = {
  'create-account': {
    title: 'A new seller',
    call: 'POST /api/admin/accounts',
    as: 'operator',
    json: { name: 'Lone Star Group', tier: 'pro' },
    status: 201,
  },
  'create-key': {
    title: 'Its first key',
    call: 'POST /api/admin/keys',
    as: 'operator',
    json: { account_id: '{{account_id}}', kind: 'secret' },
    status: 201,
  },
  'list-accounts': { title: 'The first page', call: 'GET /api/admin/accounts?limit=1', as: 'operator' },
  'read-account': { title: 'One account', call: 'GET /api/admin/accounts/{{account_id}}', as: 'operator' },
  'change-account': {
    title: 'Ten times the ceilings',
    call: 'PATCH /api/admin/accounts/{{account_id}}',
    as: 'operator',
    json: { tier: 'enterprise', limit_multiplier: 10 },
  },
  'list-keys': {
    title: 'Keys of an account',
    call: 'GET /api/admin/keys?account_id={{account_id}}',
    as: 'operator',
  },
  'delete-key': {
    title: 'A key that leaked',
    call: 'DELETE /api/admin/keys/{{key_id}}',
    as: 'operator',
    status: 204,
  },
  'create-dealer': {
    title: 'A dealer',
    call: 'POST /v1/dealers',
    json: {
      slug: 'lone-star-trucks',
      name: 'Lone Star Trucks',
      city: 'San Antonio',
      state: 'TX',
      zip: '78219',
    },
    status: 201,
  },
  'change-dealer': {
    title: 'A new phone number',
    call: 'PATCH /v1/dealers',
    json: { slug: 'lone-star-trucks', phone: '+1 210 555 0142' },
  },
  'set-webhook': {
    title: 'Send leads to a webhook',
    call: 'PATCH /v1/dealers',
    json: { slug: 'lone-star-trucks', lead_webhook_url: 'https://crm.dealer.example/leads' },
  },
  'test-lead': { title: 'A test lead', call: 'POST /v1/dealers/lone-star-trucks/test-lead' },
  'list-dealers': { title: 'All dealers', call: 'GET /v1/dealers' },
  'post-truck': { title: 'One truck', call: 'POST /v1/inventory', json: CASCADIA, status: 201 },
  'post-again': { title: 'The same truck again', call: 'POST /v1/inventory', json: CASCADIA },
  reprice: { title: 'A new price', call: 'POST /v1/inventory', json: { ...IDENTITY, price: 64900 } },
  'clear-photos': {
    title: 'Remove the photos',
    call: 'POST /v1/inventory',
    json: { ...IDENTITY, images: null },
  },
  batch: {
    title: 'A batch of three',
    call: 'POST /v1/inventory',
    json: { source_provider_id: 'dms-1', records: BATCH },
  },
  'batch-errors': {
    title: 'The same batch again, rejects only',
    call: 'POST /v1/inventory?return=errors',
    json: { source_provider_id: 'dms-1', records: BATCH },
  },
  'dry-run': {
    title: 'Check a record, store nothing',
    call: 'POST /v1/inventory?dry_run=true',
    json: { vin: '1FUJHHDR0LLKB1002', year: 2020, make: 'FRHT', gvwr: '52,000 lbs', price: '$68,900' },
  },
  read: { title: 'A truck by VIN', ...READ },
  'read-fresh': { title: 'Nothing changed', ...READ, headers: { 'If-None-Match': '{{etag}}' }, status: 304 },
  search: {
    title: 'Filters, a page of one, a few members',
    call: 'GET /v1/inventory?class=class_7,class_8&price_max=140000&near=78219&radius=300&sort=-price&limit=1&fields=vin,year,make,model,price',
  },
  'search-next': {
    title: 'The next page',
    call: 'GET /v1/inventory?class=class_7,class_8&price_max=140000&near=78219&radius=300&sort=-price&limit=1&fields=vin,price&cursor={{cursor}}',
  },
  'search-words': {
    title: 'Words, misspelled',
    call: 'GET /v1/inventory?q=frieghtliner+cascada&fields=vin,year,make,model,location',
  },
  export: {
    title: 'Everything, for the first sync',
    call: 'GET /v1/inventory?status=available,sold,delisted&facets=false&limit=1000&sort=year&fields=vin,status,price',
  },
  'post-photos': {
    title: 'A truck and its photos',
    call: 'POST /v1/inventory',
    json: WITH_PHOTOS,
    status: 201,
  },
  'read-images': {
    title: 'Its photos',
    call: `GET /v1/inventory?q=${WITH_PHOTOS.vin}&fields=vin,images,quality`,
  },
  'vin-warnings': {
    title: 'The VIN disagrees',
    call: 'POST /v1/inventory?dry_run=true',
    json: {
      vin: '1XKYD49X7NJ471003',
      year: 2021,
      make: 'Peterbilt',
      class: 'class_6',
      gvwr: 'Class 6: 19,501 - 26,000 lb',
    },
  },
  'market-prices': {
    title: 'What the market asks',
    call: 'GET /v1/market-data/prices?make=Freightliner&model=Cascadia+126&year_min=2018&year_max=2020&class=class_8',
  },
  'market-comparables': {
    title: 'How one truck compares',
    call: 'GET /v1/market-data/comparables/3AKJHHDR0KSKA1234',
  },
  'market-trends': {
    title: 'Week by week',
    call: 'GET /v1/market-data/trends?make=Freightliner&model=Cascadia+126&class=class_8&weeks=2',
  },
  sold: { title: 'Sold', ...SOLD },
  'sold-replayed': { title: 'The same request again', ...SOLD },
  'sold-bulk': {
    title: 'Several at once',
    call: 'PATCH /v1/inventory',
    json: {
      records: [
        { vin: 'JALC4W167M7001004', status: 'sold' },
        { vin: '3AKJHHDR0KSKA1234', status: 'sold' },
        { vin: '1M1AN4GY5NM001010', status: 'sold' },
      ],
    },
  },
  poll: {
    title: 'What changed since the last poll',
    call: 'GET /v1/inventory?updated_since={{synced_until}}&facets=false&fields=vin,status,price',
  },
  erase: { title: 'A mistyped VIN', call: 'DELETE /v1/inventory/1FT8W3BT9KED01009', status: 204 },
  'list-issues': { title: 'Rejected trucks and why', call: 'GET /v1/issues' },
  'own-account': { title: 'Limits, use and counts', call: 'GET /v1/account' },
  'widget-inventory': {
    title: 'What a visitor sees',
    call: 'GET /v1/widget/inventory?dealerSlug=lone-star-trucks&visitorId=v_5f0c2b7e9a&priceMin=100000',
  },
  'leave-lead': {
    title: 'A visitor leaves a phone number',
    call: 'POST /v1/widget/lead',
    json: {
      message: 'Is the T680 still there? Please call after five.',
      dealerSlug: 'lone-star-trucks',
      visitorId: 'v_5f0c2b7e9a',
      name: 'Jane Doe',
      phone: '(210) 555-0142',
      vin: '1XKYD49X7NJ471003',
      consent: { text: 'You may call me about this truck.', page: 'https://dealer.example/trucks/t680' },
    },
    status: 201,
  },
  'list-leads': { title: 'All leads', call: 'GET /v1/leads?status=new' },
  'change-lead': { title: 'Called back', call: 'PATCH /v1/leads/{{lead_id}}', json: { status: 'contacted' } },
  'delete-lead': {
    title: 'A visitor asks to be forgotten',
    call: 'DELETE /v1/leads/{{lead_id}}',
    status: 204,
  },
  'second-dealer': {
    title: 'A dealer created by mistake',
    call: 'POST /v1/dealers',
    json: { slug: 'lone-star-houston', name: 'Lone Star Houston' },
    status: 201,
  },
  'read-dealer': { title: 'One dealer', call: 'GET /v1/dealers/lone-star-houston' },
  'delete-dealer': { title: 'Removed again', call: 'DELETE /v1/dealers/lone-star-houston', status: 204 },
  'preview-feed': {
    title: 'What a file would become',
    call: 'POST /v1/feeds/preview',
    json: { sample: 'Stock #,VIN Number,Yr,Make,Asking Price\nU1,3AKJHHDR0KSKA1234,2019,FRTLNR,Call\n' },
  },
  'create-feed': {
    title: 'A feed',
    call: 'POST /v1/feeds',
    json: {
      name: 'Nightly export',
      url: 'https://dms.example/export/trucks.csv.gz',
      source_provider_id: 'heartland-dms',
    },
    status: 201,
  },
  'list-feeds': { title: 'All feeds', call: 'GET /v1/feeds' },
  'read-feed': { title: 'One feed', call: 'GET /v1/feeds/{{feed_id}}' },
  'change-feed': {
    title: 'Every two hours',
    call: 'PATCH /v1/feeds/{{feed_id}}',
    json: { cadence_minutes: 120 },
  },
  'list-runs': { title: 'Its runs', call: 'GET /v1/feeds/{{feed_id}}/runs' },
  'delete-feed': { title: 'No more', call: 'DELETE /v1/feeds/{{feed_id}}', status: 204 },
  health: { title: 'Ready', call: 'GET /api/health', as: 'nobody' },
  'health-deep': { title: 'Every part', call: 'GET /api/health?deep=1', as: 'operator' },
  housekeeping: { title: 'The hourly sweep', call: 'GET /api/cron/housekeeping', as: 'cron' },
} as const satisfies Record<string, WrittenStep>;

export type StepName = keyof typeof STEPS;

export const STORY = Object.fromEntries(
  Object.entries(STEPS).map(([name, step]) => [name, toStep(step)]),
) as Record<StepName, Step>;
