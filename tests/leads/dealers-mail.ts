import { afterAll, beforeAll, beforeEach } from 'vitest';
import { deliverLeads } from '../../lib/leads/delivery/deliver.ts';
import { storeEnquiry } from '../../lib/leads/queries/capture.ts';
import { confirmDestination } from '../../lib/leads/queries/sends.ts';
import { guardedFetcher } from '../../lib/outside/fetcher/guarded.ts';
import { smtpMailer } from '../../lib/outside/mailer/smtp.ts';
import type { Ports } from '../../lib/ports.ts';
import { newLead } from '../support/samples/leads.ts';
import { uniqueSlug } from '../support/samples/samples.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { type Call, type Receiver, startReceiver } from '../support/servers/webhook-receiver.ts';
import { queryRows } from '../support/service/database.ts';
import { startService, type TestAccount, type TestService } from '../support/service/service.ts';

/** Leads on their way to the dealer: a real SMTP server, a real HTTPS receiver, and whatever goes wrong between. */

export const FROM = 'leads@trucks.example';
/** Servers that may be private, and do without TLS. */
export const allow = new Set<string>();
export let smtp: MailServer;
export let receiver: Receiver;
export let service: TestService;
export let account: TestAccount;
export let ports: Ports;

/** A mail server and a receiver of webhooks for the tests of a file, and an account for each of them. */
export function receiveLeads(): void {
  beforeAll(async () => {
    [smtp, receiver] = await Promise.all([startMailServer(), startReceiver()]);
    allow.add(receiver.host);
    service = await startService((base) => ({
      mailer: smtpMailer({ url: `smtp://127.0.0.1:${smtp.port}`, from: FROM }),
      fetcher: guardedFetcher({ allow }),
      settings: { ...base.settings, publicUrl: 'https://trucks.example', outboundAllow: allow },
    }));
    ports = service.ports;
  });
  afterAll(() => Promise.all([smtp.close(), receiver.close()]));
  beforeEach(async () => {
    // What earlier tests on this database left waiting is theirs.
    await queryRows(`delete from jobs where kind in ('email', 'webhook', 'flagged')`);
    account = await service.newAccount();
    for (const address of ['crm@dealer.example', 'new@dealer.example'])
      await confirmDestination(ports.db, account.id, address);
    smtp.mails.length = 0;
    receiver.calls.length = 0;
  });
}

export async function newDealer(change: Record<string, unknown>, of = account) {
  const slug = uniqueSlug();
  const fields = { name: 'Lone Star Trucks', phone: '+1 210 555 0100', ...change };
  const { body } = await of.call('POST', '/v1/dealers', { slug, ...fields });
  // The ping of a new webhook.
  await service.settled();
  const [ping] = receiver.calls.splice(0);
  return { slug, secret: body.lead_webhook_secret as string, ping };
}

/** Captures leads as if that many visitors had come, and delivers each: sends of one moment do not see each other. */
export async function leaveMany(slug: string, count: number, accountId = account.id): Promise<void> {
  for (let n = 0; n < count; n++) {
    await capture(slug, accountId);
    await deliverLeads(ports);
  }
}

/** Sends what waits for a dealer, as if time had passed. */
export async function sendWaiting(slug: string): Promise<void> {
  const text = `update jobs set due_at = now() where account_id = $1 and split_part(key, '.', 1) in (
    select lead_id from lead_deliveries where account_id = $1 and dealer = $2)`;
  await queryRows(text, [account.id, slug]);
  await deliverLeads(ports);
}

/** The one call of the receiver, or that at a place. */
export function callAt(place = 0): Call {
  const call = receiver.calls.at(place);
  if (!call) throw new Error('no call');
  return call;
}

/** Captures a lead as if a visitor had come, and sends nothing. */
export function capture(dealer: string, accountId = account.id) {
  const id = crypto.randomUUID().replaceAll('-', '');
  const visit = { dealer, visitorId: id, conversationId: null };
  return storeEnquiry(ports.db, accountId, visit, `conv_${id}`, newLead(`lead_${id}`));
}

/** Leaves a lead, and waits until what it set off has ended. */
export async function leave(dealerSlug: string, change: Record<string, unknown> = {}): Promise<string> {
  const json = {
    message: 'Is it still there?',
    dealerSlug,
    visitorId: crypto.randomUUID(),
    name: 'Jane Doe',
  };
  const contact = { email: 'jane@visitor.example', phone: '(210) 555-0142' };
  const { body } = await account.call('POST', '/v1/widget/lead', { ...json, ...contact, ...change });
  await service.settled();
  return body.leadId;
}

export async function newWidgetKey(origin: string): Promise<string> {
  const key = { account_id: account.id, kind: 'publishable', allowed_origins: [origin] };
  return (await service.admin('POST', '/api/admin/keys', key)).body.key;
}

export const lead = async (id: string) => (await account.call('GET', `/v1/leads/${id}`)).body;
export const delivery = async (id: string) => (await lead(id)).delivery[0];
/** Tries the deliveries of a lead as if time had passed. */
export async function deliverLater(id: string, change = 'due_at = now()', on = ports): Promise<void> {
  const text = `update jobs set leased_until = null, ${change} where account_id = $1 and key like $2 || '.%'`;
  await queryRows(text, [account.id, id]);
  await deliverLeads(on);
}
