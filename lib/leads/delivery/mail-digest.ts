import type { Dealer } from '../../accounts/dealers/schemas.ts';
import type { Quota } from '../../limiter/limits.ts';
import type { Ports } from '../../outside/ports.ts';
import type { SendRequest } from '../ports/lead-destinations.ts';
import type { FlaggedEnquiry } from '../ports/leads.ts';
import { showMoment } from './lead-mail-html.ts';
import { sendMail } from './mail-lead.ts';
import { sendWithinLimits } from './send-limits.ts';
import type { Sent } from './sent.ts';

/** Of a dealer. */
const DIGESTS: Quota = { name: 'lead-digests', limit: 1, windowSeconds: 3_600 };

interface Digest extends Pick<SendRequest, 'destination'> {
  accountId: string;
  dealer: Dealer;
  to: string;
}

/** Once an hour one mail that lists the flagged enquiries that wait to be mailed to a dealer: with it they have reached it. */
export async function mailDigest(
  ports: Pick<Ports, 'leads' | 'leadDestinations' | 'limiter' | 'mailer' | 'settings'>,
  { accountId, dealer, to, destination }: Digest,
  signal: AbortSignal,
): Promise<Sent> {
  const { allowed, resetSeconds } = await ports.limiter.take(DIGESTS, `${accountId}:${dealer.slug}`);
  if (!allowed) return { kind: 'postponed', reason: 'waiting_for_digest', afterSeconds: resetSeconds };
  const request = { accountId, dealer: dealer.slug, destination, suspicious: false };
  return sendWithinLimits(ports, request, () => mailWaiting(ports, { accountId, dealer, to }, signal));
}

async function mailWaiting(
  ports: Pick<Ports, 'leads' | 'mailer' | 'settings'>,
  { accountId, dealer, to }: Omit<Digest, 'destination'>,
  signal: AbortSignal,
): Promise<Sent> {
  const leads = ports.leads.of(accountId);
  const waiting = await leads.waitingFlagged(dealer.slug);
  const [first] = waiting;
  // Another digest listed them.
  if (first === undefined) return { kind: 'delivered' };
  const count = waiting.length === 1 ? '1 lead' : `${waiting.length} leads`;
  const mail = {
    to,
    replyTo: null,
    subject: `${count} to check: ${dealer.name}`,
    text: describe(waiting, dealer, ports.settings.publicUrl),
    id: `digest_${first.leadId}_${first.update}`,
  };
  const sent = await sendMail(ports, mail, signal);
  if (sent.kind === 'delivered') await leads.deliveredInDigest(waiting);
  return sent;
}

function describe(waiting: readonly FlaggedEnquiry[], dealer: Dealer, publicUrl: string | null): string {
  return [
    `Many enquiries for ${dealer.name} look automated. This mail lists these instead of one mail each; all are kept with your leads:`,
    '',
    ...waiting.flatMap(({ leadId, who, at }) => [
      `${who}, ${showMoment(at, dealer.time_zone ?? 'UTC')}`,
      ...(publicUrl === null ? [] : [`${publicUrl}/dashboard/leads/${leadId}`]),
      '',
    ]),
  ].join('\n');
}
