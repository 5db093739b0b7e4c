import type { Quota } from '../../limiter/limits.ts';
import type { Ports } from '../../outside/ports.ts';
import { endInDigest, type FlaggedEnquiry, listWaitingFlagged } from '../queries/deliveries.ts';
import type { SendRequest } from '../queries/sends.ts';
import { DELIVERED, type Sending, type Sent, sendMail, sendWithinLimits } from './limits.ts';
import { formatMoment } from './mail-html.ts';

/** Of a dealer. */
const DIGESTS: Quota = { name: 'lead-digests', limit: 1, windowSeconds: 3_600 };

/** Once an hour one mail that lists the flagged enquiries that wait to be mailed to a dealer: with it they have reached it. */
export async function mailDigest(
  ports: Ports,
  { accountId, dealer: { slug, name, time_zone }, signal }: Sending,
  to: string,
  request: SendRequest,
): Promise<Sent> {
  const { publicUrl } = ports.settings;
  const formatEntry = ({ leadId, who, at }: FlaggedEnquiry) =>
    `\n${who}, ${formatMoment(at, time_zone)}\n${publicUrl ? `${publicUrl}/dashboard/leads/${leadId}\n` : ''}`;
  const { allowed, resetSeconds } = await ports.limiter.take(DIGESTS, `${accountId}:${slug}`);
  if (!allowed) return { kind: 'postponed', reason: 'waiting_for_digest', afterSeconds: resetSeconds };
  return sendWithinLimits(ports.db, accountId, { ...request, suspicious: false }, async () => {
    const waiting = await listWaitingFlagged(ports.db, accountId, slug);
    const [first] = waiting;
    // Another digest listed them.
    if (first === undefined) return DELIVERED;
    const count = waiting.length === 1 ? '1 lead' : `${waiting.length} leads`;
    const mail = {
      to,
      replyTo: null,
      subject: `${count} to check: ${name}`,
      text: `Many enquiries for ${name} look automated. This mail lists these instead of one mail each; all are kept with your leads:
${waiting.map(formatEntry).join('')}`,
      id: `digest_${first.leadId}_${first.update}`,
    };
    const sent = await sendMail(ports, mail, signal);
    if (sent.kind === 'delivered') await endInDigest(ports.db, accountId, waiting);
    return sent;
  });
}
