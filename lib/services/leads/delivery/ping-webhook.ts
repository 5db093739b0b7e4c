import type { Ports } from '../../../ports/ports.ts';
import { newId } from '../../new-id.ts';
import { postSigned } from './post-webhook.ts';
import { sendWithinLimits } from './send-limits.ts';
import { readWebhookSecret } from './webhook-secret.ts';

type PingPorts = Pick<
  Ports,
  'dealers' | 'leadDestinations' | 'secrets' | 'fetcher' | 'clock' | 'random' | 'log'
>;

/** Calls a webhook that was just set, so that its owner sees at once whether it works; a 2xx confirms it. */
export async function pingWebhook(ports: PingPorts, accountId: string, slug: string): Promise<void> {
  const dealer = await ports.dealers.of(accountId).get(slug);
  const url = dealer?.lead_webhook_url ?? null;
  const secret = await readWebhookSecret(ports, accountId, slug);
  if (url === null || secret === null) return;
  const event = {
    type: 'ping',
    timestamp: new Date(ports.clock.now()).toISOString(),
    data: { dealer: slug },
  };
  const destination = { address: url, countedAs: url };
  const sent = await sendWithinLimits(ports, { accountId, dealer: slug, destination }, () =>
    postSigned(ports, { url, secret }, newId(ports, 'msg_ping'), event),
  );
  if (sent.kind === 'delivered') await ports.leadDestinations.of(accountId).confirm(url);
  ports.log.write({
    level: 'info',
    event: 'webhook_ping',
    account: accountId,
    dealer: slug,
    outcome: sent.kind,
  });
}
