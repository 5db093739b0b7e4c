import { readIsTest } from '../../accounts/read-is-test.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import type { Mail } from '../../outside/mailer/mailer.ts';
import type { Ports } from '../../ports.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { makeConfirmationToken } from '../confirm-address.ts';
import { toEnquiry } from '../enquiries.ts';
import { formatAdf } from './adf.ts';
import { formatLeadHtml } from './mail-html.ts';
import { type Sending, type Sent, sendMail, sendWithinLimits } from './send.ts';

/** Mails an enquiry to its dealer. */
export async function mailLead(ports: Ports, sending: Sending): Promise<Sent> {
  const { accountId, dealer, lead, update, signal } = sending;
  const { lead_email: to } = dealer;
  if (to === null) return { kind: 'refused', reason: 'no_address' };
  if (await readIsTest(ports.db, accountId)) return { kind: 'refused', reason: 'test_account' };
  const { suspicious } = toEnquiry(lead, update);
  const request = { dealer: dealer.slug, address: to.toLowerCase(), countedAs: toMailbox(to), suspicious };
  return sendWithinLimits(ports.db, accountId, request, (isConfirmed) =>
    sendMail(ports, composeLeadMail(ports, sending, to, isConfirmed), signal),
  );
}

/**
 * ADF as plain text, which CRMs parse, and the same for a person to read. A reply goes to the visitor. The Message-ID is
 * the same on every try.
 * @public by the test of the bundle
 */
export function composeLeadMail(
  ports: Pick<Ports, 'settings' | 'clock'>,
  { accountId, lead: stored, update, isTest, dealer }: Omit<Sending, 'signal'>,
  to: string,
  isConfirmed: boolean,
): Mail {
  const lead = toEnquiry(stored, update);
  const [plain, flagged] =
    update > 0 ? ['Added to a lead', 'Added to a lead, to check'] : ['New lead', 'Lead to check'];
  const { publicUrl } = ports.settings;
  const token = makeConfirmationToken(ports, accountId, to.toLowerCase());
  const confirmUrl = isConfirmed ? null : publicUrl && `${publicUrl}/api/confirm-address/${token}`;
  const adf = formatAdf(lead, dealer);
  const mail = {
    to,
    replyTo: lead.email ? { name: lead.name, address: lead.email } : null,
    subject: `${lead.suspicious ? flagged : plain}: ${lead.truck ? `${nameTruck(lead.truck)}, ` : ''}${dealer.name}`,
    text: confirmUrl === null ? adf : `${adf}\n<!-- Confirm this address: ${confirmUrl} -->\n`,
    id: lead.id,
  };
  if (dealer.lead_email_format === 'adf') return mail;
  const html = formatLeadHtml(lead, dealer, {
    confirmUrl,
    leadUrl: isTest || publicUrl === null ? null : `${publicUrl}/dashboard/leads/${stored.id}`,
    earlier: update > 0 ? stored : null,
  });
  return { ...mail, html };
}
