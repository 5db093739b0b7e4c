import { findDealer } from '../../accounts/dealers/queries.ts';
import { newId } from '../../outside/new-id.ts';
import type { Ports } from '../../outside/ports.ts';
import { checkWebhook, type WebhookPorts } from './call-webhook.ts';

/** Calls a webhook that was just set, so that its owner sees at once whether it works. */
export async function pingWebhook(
  ports: WebhookPorts & Pick<Ports, 'random' | 'log'>,
  accountId: string,
  slug: string,
): Promise<void> {
  const dealer = await findDealer(ports.db, accountId, slug);
  const url = dealer?.lead_webhook_url ?? null;
  if (url === null) return;
  const timestamp = new Date(ports.clock.now()).toISOString();
  const event = { id: newId(ports, 'msg_ping'), type: 'ping', timestamp, data: { dealer: slug } } as const;
  const { sent } = await checkWebhook(ports, { accountId, dealer: slug, url, suspicious: false }, event);
  ports.log.write({
    level: 'info',
    event: 'webhook_ping',
    account: accountId,
    dealer: slug,
    outcome: sent.kind,
  });
}
