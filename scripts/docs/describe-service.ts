import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import type { JsonObject } from '../../lib/http/openapi/json-schema.ts';
import { openApiDocument } from '../../lib/http/openapi/openapi.ts';
import { ENDPOINTS } from '../../lib/routes.ts';
import { UNKNOWN_CONDITION } from '../../lib/search/words/listing-terms.ts';
import { LISTING_STATUSES, TRUCK_CLASSES } from '../../lib/truck/fields.ts';
import { CURRENCIES } from '../../lib/truck/text/currency.ts';
import { BODIES } from '../../lib/truck/vocabulary/bodies.ts';
import { DRIVES, FUELS, REAR_WHEELS, TRANSMISSION_ORDER } from '../../lib/truck/vocabulary/short-terms.ts';
import type { Recording } from './record.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** For sellers and widgets: `public/openapi.json`. For whoever runs the service: `docs/openapi-operators.json`. */
export type Audience = 'sellers' | 'operators';

const TITLES: Readonly<Record<Audience, string>> = {
  sellers: 'Commercial Truck Inventory API',
  operators: 'Commercial Truck Inventory API: operators’ and cron routes',
};

const DESCRIPTION = `Ingests, merges, enriches and serves dealers’ listings of commercial trucks (Class 3 to 8).

The guide is at [/docs/](/docs/), and every error code has a page under [/docs/errors/](/docs/errors/). Paths under \`/v1\` are served under \`/api/v1\` too. Every answer carries an \`x-request-id\`.`;

/** The endpoints an audience may call. */
export function endpointsFor(audience: Audience): Endpoint[] {
  const isOperators = ({ guard }: Endpoint) => guard === 'operator' || guard === 'cron';
  return ENDPOINTS.filter((endpoint) => isOperators(endpoint) === (audience === 'operators'));
}

/** The OpenAPI document of an audience, with recorded examples. */
export async function describeService(
  examples?: Recording['examples'],
  audience: Audience = 'sellers',
  { address, supportEmail } = NO_DEPLOYMENT,
): Promise<JsonObject> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const info = {
    title: TITLES[audience],
    version,
    summary: 'Send a dealer’s commercial trucks, read them by VIN.',
    description: DESCRIPTION,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    contact: { name: 'Support', email: supportEmail },
  };
  const hasWebhooks = audience === 'sellers';
  return openApiDocument(endpointsFor(audience), info, {
    address,
    values: VALUES,
    hasWebhooks,
    ...(examples ? { examples } : {}),
  });
}

/** The canonical values of filters, by the parameter's name; by `<operation>.<name>` where one operation takes others. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: LISTING_STATUSES,
  class: TRUCK_CLASSES,
  condition: ['new', 'used', UNKNOWN_CONDITION],
  'getMarketPrices.condition': ['new', 'used'],
  transmission: TRANSMISSION_ORDER,
  drivetrain: Object.keys(DRIVES),
  rear_wheels: Object.keys(REAR_WHEELS),
  currency: CURRENCIES,
  fuel_type: Object.keys(FUELS),
  fuelType: Object.keys(FUELS),
  body_type: [...BODIES.keys()],
  bodyType: [...BODIES.keys()],
};

/** Where the deployed service is reached, and who answers for it; in the tree: wherever the document comes from. */
export function readDeployment() {
  const { PUBLIC_URL, VERCEL_PROJECT_PRODUCTION_URL: host, SUPPORT_EMAIL } = process.env;
  const address = PUBLIC_URL || (host ? `https://${host}` : '');
  return { address: address.replace(/\/$/, ''), supportEmail: SUPPORT_EMAIL || NO_DEPLOYMENT.supportEmail };
}

const NO_DEPLOYMENT = { address: '', supportEmail: 'support@example.com' };
