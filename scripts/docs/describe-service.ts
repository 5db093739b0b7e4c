import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import type { JsonObject } from '../../lib/http/openapi/json-schema.ts';
import { type Examples, openApiDocument } from '../../lib/http/openapi/openapi.ts';
import { ENDPOINTS } from '../../lib/routes.ts';
import { UNKNOWN_CONDITION } from '../../lib/search/words/listing-terms.ts';
import { LISTING_STATUSES, TRUCK_CLASSES } from '../../lib/truck/fields.ts';
import { CURRENCIES } from '../../lib/truck/text/currency.ts';
import { BODIES } from '../../lib/truck/vocabulary/bodies.ts';
import { DRIVES, FUELS, REAR_WHEELS, TRANSMISSION_ORDER } from '../../lib/truck/vocabulary/short-terms.ts';
import { ROOT } from './deployment.ts';

/** For sellers and widgets: `public/openapi.json`. For whoever runs the service: `docs/openapi-operators.json`. */
export type Audience = 'sellers' | 'operators';

const TITLES: Readonly<Record<Audience, string>> = {
  sellers: 'Commercial Truck Inventory API',
  operators: 'Commercial Truck Inventory API: operators’ and cron routes',
};

const DESCRIPTION = `Ingests, merges, enriches and serves dealers’ listings of commercial trucks (Class 3 to 8).

The guide is at [/docs/](/docs/), and every error code has a page under [/docs/errors/](/docs/errors/). Paths under \`/v1\` are served under \`/api/v1\` too. Every answer carries an \`x-request-id\`.`;

/** The endpoints an audience may call. */
function endpointsFor(audience: Audience): Endpoint[] {
  const isOperators = ({ guard }: Endpoint) => guard === 'operator' || guard === 'cron';
  return ENDPOINTS.filter((endpoint) => isOperators(endpoint) === (audience === 'operators'));
}

/** The OpenAPI document of an audience, with recorded examples. */
export async function describeService(
  examples?: Examples,
  audience: Audience = 'sellers',
): Promise<JsonObject> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const info = {
    title: TITLES[audience],
    version,
    summary: 'Send and read dealers’ commercial trucks by VIN.',
    description: DESCRIPTION,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    contact: { name: 'Support', email: 'support@example.com' },
  };
  const hasWebhooks = audience === 'sellers';
  return openApiDocument(endpointsFor(audience), info, {
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
