import type { ErrorCode } from '../../lib/errors.ts';
import type { Call } from './call.ts';
import { databaseGone, type Fault, geocoderBroken, rowHeld, searchTableBroken } from './faults.ts';

/** A request that is answered with the code, really. */
export interface ErrorExample {
  /** What a reader must know to understand it. */
  note?: string;
  /** Calls made before, on the same seller. */
  before?: readonly Call[];
  /** What is broken during the call. */
  fault?: Fault;
  call: Call;
  /** The corrected request (for a fault: the same, once it is mended); it must succeed. */
  fixed?: Call;
}

const TRUCK = { vin: '3AKJHHDR0KSKA1234', year: 2019, make: 'Freightliner', price: 68900 };
const POST = { method: 'POST', path: '/v1/inventory' } as const;
const PATCH = { method: 'PATCH', path: '/v1/inventory' } as const;
const READ = { method: 'GET', path: '/v1/inventory/3AKJHHDR0KSKA1234' } as const;
const VAN = { vin: '1FDUF5HT7LDA01005', year: 2020, make: 'Ford', model: 'F-550', price: 52900 };

const post = (json: object): Call => ({ ...POST, json });
const dealer = (slug: string, name: string): Call => ({
  method: 'POST',
  path: '/v1/dealers',
  json: { slug, name },
});
const widget = (path: 'chat' | 'lead', json: object): Call => ({
  method: 'POST',
  path: `/v1/widget/${path}`,
  json,
});
const PRO: Call = {
  method: 'PATCH',
  path: '/api/admin/accounts/{{account_id}}',
  as: 'operator',
  json: { tier: 'pro' },
};
const QUESTION = { message: 'Is the 2019 Cascadia still there?', visitorId: 'v_5f0c2b7e9a' };
const LEAD = { ...QUESTION, dealerSlug: 'gulf-coast-trucks', email: 'jane@visitor.example' };

export const EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  UNAUTHORIZED: {
    note: 'The key was revoked or miscopied.',
    call: { ...READ, as: 'nobody', headers: { Authorization: 'Bearer ctis_sk_live_mistyped' } },
    before: [post(TRUCK)],
    fixed: READ,
  },
  FORBIDDEN: {
    note: 'A publishable key is for the widget in a visitor’s browser. It opens nothing else.',
    call: { ...READ, as: 'widget-key' },
    before: [post(TRUCK)],
    fixed: READ,
  },
  TIER_RESTRICTED: {
    note: 'Market data is for Pro and Enterprise; this account is a Starter.',
    call: { method: 'GET', path: '/v1/market-data/prices?make=Freightliner' },
  },
  INVALID_BODY: {
    note: 'The visitor is not named.',
    before: [dealer('panhandle-trucks', 'Panhandle Trucks')],
    call: widget('lead', {
      message: QUESTION.message,
      dealerSlug: 'panhandle-trucks',
      phone: '(210) 555-0142',
    }),
    fixed: widget('lead', { ...QUESTION, dealerSlug: 'panhandle-trucks', phone: '(210) 555-0142' }),
  },
  ALREADY_CAPTURED: {
    note: 'The visitor pressed the button twice.',
    before: [dealer('gulf-coast-trucks', 'Gulf Coast Trucks'), widget('lead', LEAD)],
    call: widget('lead', LEAD),
  },
  CONFIG_ERROR: {
    note: 'While the answer was recorded, the service had no AI provider.',
    before: [PRO, dealer('rio-grande-trucks', 'Rio Grande Trucks')],
    call: widget('chat', { ...QUESTION, dealerSlug: 'rio-grande-trucks' }),
  },
  VALIDATION_ERROR: {
    note: '`records` is one object here; it has to be a list, even of one.',
    call: post({ records: TRUCK }),
    fixed: post({ records: [TRUCK] }),
  },
  BATCH_TOO_LARGE: {
    note: 'The shell makes a batch of 501 empty records.',
    call: {
      ...POST,
      raw: `{"records":[${'{},'.repeat(500)}{}]}`,
      shell: String.raw`"{\"records\":[$(printf '{},%.0s' {1..500}){}]}"`,
    },
  },
  INVALID_PAYLOAD: {
    note: 'A dealer needs a name when it is created.',
    call: { method: 'POST', path: '/v1/dealers', json: { slug: 'hill-country-trucks' } },
    fixed: {
      method: 'POST',
      path: '/v1/dealers',
      json: { slug: 'hill-country-trucks', name: 'Hill Country Trucks' },
    },
  },
  INVALID_VIN: {
    note: 'One character short.',
    call: { ...READ, path: '/v1/inventory/3AKJHHDR0KSKA123' },
    before: [post(TRUCK)],
    fixed: READ,
  },
  INVALID_STATUS: {
    note: 'PATCH does not list a truck again; POST does.',
    call: { ...PATCH, json: { vin: TRUCK.vin, status: 'available' } },
    before: [post(TRUCK)],
    fixed: { ...PATCH, json: { vin: TRUCK.vin, status: 'delisted' } },
  },
  INVALID_PARAMS: {
    call: { method: 'GET', path: '/v1/dealers?limit=1000' },
    fixed: { method: 'GET', path: '/v1/dealers?limit=200' },
  },
  PIPELINE_FAILED: {
    note: 'Two rules are broken: the first names the reject, `issues` lists both.',
    call: post({ ...TRUCK, year: 1987, price: 689 }),
    fixed: post(TRUCK),
  },
  VIN_MISSING: { call: post({ ...TRUCK, vin: '' }), fixed: post(TRUCK) },
  VIN_LENGTH: {
    note: 'A character was lost on the way.',
    call: post({ ...TRUCK, vin: '3AKJHHDR0KSKA123' }),
    fixed: post(TRUCK),
  },
  YEAR_MISSING: { call: post({ vin: TRUCK.vin, make: TRUCK.make }), fixed: post(TRUCK) },
  YEAR_OUT_OF_RANGE: { call: post({ ...TRUCK, year: 1987 }), fixed: post(TRUCK) },
  MAKE_MISSING: {
    call: post({ vin: TRUCK.vin, year: TRUCK.year, model: 'Cascadia 126' }),
    fixed: post({ ...TRUCK, model: 'Cascadia 126' }),
  },
  GVWR_BELOW_FLOOR: {
    note: 'A light truck, or a curb weight sent as the rating.',
    call: post({ ...TRUCK, gvwr: 8600 }),
    fixed: post({ ...TRUCK, gvwr: 52000 }),
  },
  BODY_TYPE_BLOCKED: {
    note: 'A step van that came out of a car dealer’s system as a minivan.',
    call: post({ ...VAN, gvwr: 19500, body_type: 'Minivan' }),
    fixed: post({ ...VAN, gvwr: 19500, body_type: 'step van' }),
  },
  CLASS_BELOW_FLOOR: { call: post({ ...VAN, class: 'Class 2b' }), fixed: post({ ...VAN, class: 'Class 5' }) },
  DUAL_USE_QUARANTINED: {
    note: 'Ford also builds cars, and nothing here says that this is a truck.',
    call: post(VAN),
    fixed: post({ ...VAN, gvwr: 19500 }),
  },
  PRICE_INVALID: {
    note: 'A price of 1 stands for “call for price” in many systems.',
    call: post({ ...TRUCK, price: 1 }),
    fixed: post({ ...TRUCK, price: null }),
  },
  DUPLICATE_DEDUP_HASH: {
    note: 'While the answer was recorded, another writer held this listing.',
    fault: rowHeld,
    call: post(TRUCK),
    fixed: post(TRUCK),
  },
  ENRICH_FAILED: {
    note: 'While the answer was recorded, the geocoder was broken.',
    fault: geocoderBroken,
    call: post({ ...TRUCK, location: { zip: '78219' } }),
    fixed: post({ ...TRUCK, location: { zip: '78219' } }),
  },
  INDEX_FAILED: {
    note: 'While the answer was recorded, the search table refused every row.',
    fault: searchTableBroken,
    call: post(TRUCK),
    fixed: post(TRUCK),
  },
  NOT_FOUND: {
    note: 'No truck of this account has the VIN. The answer is the same for another account’s truck.',
    call: { method: 'GET', path: '/v1/inventory/1M1AN4GY5NM001010' },
  },
  RATE_LIMITED: {
    note: 'The 61st call within a minute.',
    before: Array<Call>(60).fill({ method: 'GET', path: '/v1/dealers' }),
    call: { method: 'GET', path: '/v1/dealers' },
  },
  INTERNAL_ERROR: {
    note: 'While the answer was recorded, the database was gone.',
    fault: databaseGone,
    before: [post(TRUCK)],
    call: READ,
    fixed: READ,
  },
};

/** Wrong method: NOT_FOUND under another status, shown beside the 404. */
export const WRONG_METHOD: ErrorExample = { call: { method: 'PUT', path: '/v1/inventory', json: TRUCK } };
