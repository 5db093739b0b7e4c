import type { Quota } from '../limiter/limits.ts';
import { toMailbox } from '../outside/mailer/mailbox.ts';
import { hashSecret } from '../outside/secrets/hash-secret.ts';
import type { Ports } from '../ports.ts';
import { quote } from '../truck/text/text.ts';
import { describeAct } from './acts.ts';
import { findNotice } from './alerts/queries.ts';
import { mailLines } from './people/mail-lines.ts';
import type { AuditEntry } from './queries/audit.ts';

/**
 * Mails about what happens to an account, which no link ends. One that is cut off with its process is lost: all of it
 * stands in the activity.
 */

/** Of one kind of act to a mailbox: a key that floods its owners with one kind hides no other. */
const MAILS: Quota = { name: 'notice-mails', limit: 5, windowSeconds: 3_600 };

/** Mails what was done to the confirmed owners who did not do it, and to whom it was done. */
export async function mailOwners(ports: Ports, accountId: string, entry: AuditEntry): Promise<void> {
  const notice = await findNotice(ports.db, accountId, entry);
  if (!notice) return;
  const { account, actor, target, role, recipients } = notice;
  const subject = describeAct(entry.action);
  const lines = [
    `${subject}: ${quote(target ?? account)}${role === null ? '' : ` (${role})`}.`,
    `By ${actor === null ? 'the operator of this service' : quote(actor)}, in the account ${quote(account)}.`,
  ];
  // What is done to the reader counts apart from what is done to others, owners from members, secret keys from others.
  const about = `${accountId} ${entry.action} ${role ?? entry.detail.kind ?? ''}`;
  const mails = recipients.map((to) =>
    mailNotice(ports, `${about} ${to === target}`, { to, subject, lines }),
  );
  await Promise.all(mails);
}

/** To one person; `about` is what no more than so many mails an hour are about. */
export async function mailNotice(
  ports: Ports,
  about: string,
  { lines, ...mail }: { to: string; subject: string; lines: readonly string[] },
): Promise<void> {
  const { limiter, settings } = ports;
  if (settings.mail === 'none') return;
  const { allowed } = await limiter.take(MAILS, hashSecret(`${about} ${toMailbox(mail.to)}`));
  if (!allowed) return;
  const footer = [
    '',
    `If this is wrong, write to ${settings.supportEmail}. If you can sign in, also sign out the browsers and revoke the keys`,
    'that you do not know. The activity of the account shows who did what:',
    `${settings.publicUrl ?? ''}/dashboard/activity`,
    '',
    `We write at most ${MAILS.limit} times an hour about this; the activity shows the rest.`,
  ];
  await mailLines(ports, 'notice', { ...mail, lines: [...lines, ...footer] });
}
