import { findWebhookSecrets } from '../../accounts/dealers/webhooks.ts';
import { sealSecret } from '../../outside/secrets/seal-secret.ts';
import type { Ports } from '../../ports.ts';

/** Signing secrets of dealers' webhooks: `whsec_…` for the dealer, sealed in the database. */

const toAbout = (accountId: string, slug: string) => `webhook/${accountId}/${slug}`;

/** As the Standard Webhooks specification has it: `whsec_` and the base64 of 24 random bytes. */
export function makeWebhookSecret({ random }: Pick<Ports, 'random'>): string {
  return `whsec_${Buffer.from(random.bytes(24)).toString('base64')}`;
}

export function sealWebhookSecret(
  ports: Pick<Ports, 'secrets' | 'settings'>,
  accountId: string,
  slug: string,
  secret: string,
): Promise<string> {
  const about = toAbout(accountId, slug);
  return sealSecret(ports, { field: 'lead_webhook_url', text: secret, about });
}

/** The dealer's secrets, the newest first: two for a day after a rotation, none without a webhook. */
export async function readWebhookSecrets(
  { db, secrets }: Pick<Ports, 'db' | 'secrets'>,
  accountId: string,
  slug: string,
): Promise<string[]> {
  const stored = await findWebhookSecrets(db, accountId, slug);
  const about = toAbout(accountId, slug);
  return Promise.all(stored.map((secret) => secrets.open(secret, about)));
}
