import { join } from 'node:path';
import type { JsonObject } from '../../lib/http/openapi/json-schema.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Where the service of every example is reached; pages show their own service's address in its place. */
export const EXAMPLE_ADDRESS = 'https://api.example.com';

/** Where the service is reached, '' where that is not known, and who answers for it. */
export interface Deployment {
  address: string;
  supportEmail: string;
}

export function readDeployment(): Deployment {
  const { PUBLIC_URL, VERCEL_PROJECT_PRODUCTION_URL: host, SUPPORT_EMAIL } = process.env;
  const address = PUBLIC_URL || (host ? `https://${host}` : '');
  return { address: address.replace(/\/$/, ''), supportEmail: SUPPORT_EMAIL || 'support@example.com' };
}

/** The committed document as it is deployed: with the service's own address and contact. */
export function toDeployedDocument(document: JsonObject, { address, supportEmail }: Deployment): JsonObject {
  const servers = [{ url: address || '/', description: 'This service.' }];
  return {
    ...document,
    servers,
    info: { ...Object(document.info), contact: { name: 'Support', email: supportEmail } },
  };
}
