import {
  type DeployedFunction,
  type FirstAnswer,
  type FirstRequest,
  OPERATOR,
  startProcess,
} from './start-process.ts';

/**
 * What cold starts are asked for. A seller with one truck is made by the deployed functions themselves, one process
 * a request, so that each request here has a useful answer.
 */

export const VIN = '1FUJGLDR9CLBP8834';
const ORIGIN = 'https://dealer.example';
const TRUCK = {
  vin: VIN,
  year: 2012,
  make: 'Freightliner',
  model: 'Cascadia',
  class: '8',
  body_type: 'Sleeper Tractor',
  price: 54_900,
  mileage: 412_350,
  dealer: 'cold-start-trucks',
};

export interface Asked {
  /** The function's name, as in the emitted output. */
  name: string;
  request: FirstRequest;
}

/** Seeds the migrated database at `postgresUrl`; returns the requests that are measured. Throws on any refusal. */
export async function prepareRequests(
  functions: ReadonlyMap<string, DeployedFunction>,
  postgresUrl: string,
): Promise<Asked[]> {
  const post = async (name: string, path: string, token: string, body: unknown) => {
    const deployed = functions.get(name);
    if (!deployed) throw new Error(`${name} was not emitted`);
    const request = { path, method: 'POST', headers: authorize(token), body: JSON.stringify(body) };
    return readMembers(`POST ${path}`, await startProcess(deployed, request, postgresUrl));
  };
  const account = await post('api/admin/accounts/index', '/api/admin/accounts', OPERATOR, {
    name: 'Cold Start Trucks',
    tier: 'enterprise',
    limit_multiplier: 100,
  });
  const newKey = async (about: object): Promise<string> => {
    const body = { account_id: account.id, ...about };
    return String((await post('api/admin/keys/index', '/api/admin/keys', OPERATOR, body)).key);
  };
  const key = await newKey({ kind: 'secret' });
  const widgetKey = await newKey({ kind: 'publishable', allowed_origins: [ORIGIN] });
  const dealer = { slug: TRUCK.dealer, name: 'Cold Start Trucks', city: 'Dallas', state: 'TX' };
  await post('api/v1/dealers/index', '/api/v1/dealers', key, dealer);
  await post('api/v1/inventory/index', '/api/v1/inventory', key, TRUCK);
  const link = await post('api/admin/sign-in-links', '/api/admin/sign-in-links', OPERATOR, {});
  const { pathname } = new URL(String(link.url));
  // Looking at a link reads it, and does not use it up.
  const firstPage = { name: 'api/dashboard', request: { path: pathname } };
  return [...usefulRequests(key, widgetKey), firstPage];
}

function usefulRequests(key: string, widgetKey: string): Asked[] {
  const get = (name: string, path: string): Asked => ({ name, request: { path, headers: authorize(key) } });
  const repriced = JSON.stringify({ ...TRUCK, price: 53_900 });
  return [
    get('api/v1/inventory/[vin]', `/api/v1/inventory/${VIN}?vin=${VIN}`),
    get('api/v1/inventory/index', '/api/v1/inventory?make=Freightliner'),
    {
      name: 'api/v1/inventory/index',
      request: { path: '/api/v1/inventory', method: 'POST', headers: authorize(key), body: repriced },
    },
    get('api/v1/market-data/prices', '/api/v1/market-data/prices?make=Freightliner'),
    get('api/v1/leads/index', '/api/v1/leads'),
    get('api/v1/feeds/index', '/api/v1/feeds'),
    {
      name: 'api/v1/widget/inventory',
      request: {
        path: `/api/v1/widget/inventory?dealerSlug=${TRUCK.dealer}&visitorId=cold-start`,
        headers: { ...authorize(widgetKey), origin: ORIGIN },
      },
    },
    { name: 'api/health', request: { path: '/api/health' } },
  ];
}

const authorize = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

function readMembers(request: string, { status, body }: FirstAnswer): Record<string, unknown> {
  if (status >= 300) throw new Error(`${request} answered ${status}: ${body.slice(0, 500)}`);
  const value: unknown = JSON.parse(body);
  if (typeof value !== 'object' || value === null) throw new Error(`${request} answered no object`);
  return { ...value };
}
