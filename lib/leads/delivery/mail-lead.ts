import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { readByVin } from '../../inventory/queries/by-vin.ts';

import type { Ports } from '../../outside/ports.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { makeConfirmationToken } from '../confirm-address.ts';
import { toEnquiry } from '../enquiries.ts';
import { type Lead, type Mail, MailFailure } from '../ports/leads.ts';
import { formatAdf } from './adf.ts';
import { formatLeadHtml } from './lead-mail-html.ts';
import type { Sent } from './sent.ts';

export interface LeadMail {
  accountId: string;
  lead: Lead;
  /** Number of the update; 0: the lead itself. */
  update: number;
  dealer: Dealer;
  to: string;
  /** The seller confirmed that the address takes leads. */
  confirmed: boolean;
}

/**
 * A lead or a later enquiry by mail: ADF as plain text, which CRMs parse, and the same for a person to read. A reply goes
 * to the visitor. The Message-ID is the same on every try.
 */
export async function mailLead(
  ports: Pick<Ports, 'mailer' | 'db' | 'settings' | 'clock'>,
  { accountId, lead: whole, update, dealer, to, confirmed }: LeadMail,
  signal: AbortSignal,
): Promise<Sent> {
  const lead = toEnquiry(whole, update);
  const { truck } = lead;
  const kind = KINDS[update > 0 ? 'added' : 'first'][lead.suspicious ? 'doubtful' : 'plain'];
  const about = [...(truck ? [nameTruck(truck)] : []), dealer.name].join(', ');
  const confirmUrl = confirmed ? null : toConfirmUrl(ports, accountId, to);
  const listed = await findListed(ports, accountId, lead.vin);
  const { publicUrl } = ports.settings;
  const leadUrl = publicUrl === null ? null : `${publicUrl}/dashboard/leads/${whole.id}`;
  const earlier = update > 0 ? whole : null;
  const adf = await formatAdf([{ lead, dealer }]);
  const mail = {
    to,
    replyTo: lead.email === null ? null : { name: lead.name, address: lead.email },
    subject: `${kind}: ${about}`,
    text: confirmUrl === null ? adf : `${adf}\n<!-- Confirm this address: ${confirmUrl} -->\n`,
    ...(dealer.lead_email_format === 'adf'
      ? {}
      : { html: formatLeadHtml(lead, dealer, { ...listed, confirmUrl, leadUrl, earlier }) }),
    id: lead.id,
  };
  return sendMail(ports, mail, signal);
}

/** Sends a mail to a dealer; one that did not reach it may be sent again. */
export async function sendMail(
  { mailer }: Pick<Ports, 'mailer'>,
  mail: Mail,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    await mailer.send(mail, signal);
    return { kind: 'delivered' };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { reason } = error;
    return { kind: 'failed', reason, afterSeconds: null, isUnsent: reason !== 'smtp_timeout' };
  }
}

const KINDS = {
  first: { plain: 'New lead', doubtful: 'Lead to check' },
  added: { plain: 'Added to a lead', doubtful: 'Added to a lead, to check' },
} as const;

function toConfirmUrl(
  ports: Pick<Ports, 'settings' | 'clock'>,
  accountId: string,
  address: string,
): string | null {
  const { publicUrl } = ports.settings;
  const token = makeConfirmationToken(ports, accountId, address.toLowerCase());
  return publicUrl === null ? null : `${publicUrl}/api/confirm-address/${token}`;
}

/** The truck's own page, and the smallest stored rendition of its first photo; null where there is none. */
async function findListed(
  { db, settings: { publicUrl } }: Pick<Ports, 'db' | 'settings'>,
  accountId: string,
  vin: string | null,
): Promise<{ photoUrl: string | null; truckUrl: string | null }> {
  const listing = vin === null ? null : await readByVin(db, accountId, vin);
  if (listing === null) return { photoUrl: null, truckUrl: null };
  const { images, url } = listing;
  const path = images.flatMap(({ renditions }) => renditions)[0]?.url;
  const photoUrl = path === undefined || publicUrl === null ? null : publicUrl + path;
  return { photoUrl, truckUrl: url ?? null };
}
