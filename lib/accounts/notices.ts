import type { Quota } from '../limiter/limits.ts';
import { toMailbox } from '../outside/mailer/mailbox.ts';
import { newId } from '../outside/new-id.ts';
import type { Ports } from '../outside/ports.ts';
import { hashSecret } from '../outside/secrets/hash-secret.ts';
import { quote } from '../truck/text/quote.ts';
import { toTable } from '../truck/text/table.ts';
import { type AccountNotice, findNotice } from './alerts/queries.ts';
import type { AuditEntry } from './queries/audit.ts';

/**
 * Mails about what happens to an account, which no link ends. One that is cut off with its process is lost: all of it
 * stands in the activity.
 */

/**
 * Of one action in an account, to a mailbox: a key that floods its owners with one kind hides no other. What is done to the
 * reader counts apart from what is done to others.
 */
const MAILS: Quota = { name: 'notice-mails', limit: 5, windowSeconds: 3_600 };
const TIMEOUT_MS = 20_000;

type NoticePorts = Pick<Ports, 'db' | 'limiter' | 'mailer' | 'random' | 'settings'>;

const ofSecret =
  (subject: string) =>
  ({ kind }: AccountNotice) =>
    kind === 'secret' ? subject : null;

/** The actions that the other owners get a mail about: its subject, or null for one that is not of this. */
export const NOTICES: Readonly<Record<string, (notice: AccountNotice) => string | null>> = toTable({
  'person.invite': ({ role }) => (role === 'owner' ? 'An owner was added' : null),
  'person.change': ({ detail }) =>
    detail.role === 'owner' ? 'A member is an owner now' : 'An owner is a member now',
  'person.remove': ({ detail }) => (detail.role === 'owner' ? 'An owner was removed' : null),
  'key.create': ofSecret('A secret key was made'),
  'key.rotate': ofSecret('A secret key was rotated'),
  'key.revoke': ofSecret('A secret key was revoked'),
  'dealer.create_leads': () => 'A dealer that takes leads was added',
  'dealer.change_leads': () => 'The delivery of a dealer’s leads has changed',
  'dealer.remove_leads': () => 'A dealer that took leads was removed',
  'account.export': () => 'The data of your account was exported',
  'account.erase': () => 'Your account will be erased in 7 days, unless an owner undoes it',
  'account.keep': () => 'The erasure of your account is undone',
});

/** Mails what was done to the confirmed owners who did not do it; nothing if its transaction did not commit. */
export async function mailOwners(ports: NoticePorts, accountId: string, entry: AuditEntry): Promise<void> {
  const notice = await findNotice(ports.db, accountId, entry);
  const subject = notice && NOTICES[entry.action]?.(notice);
  if (!notice || !subject) return;
  const lines = [
    `${subject}${notice.target === null ? '' : `: ${quote(notice.target)}`}.`,
    `By ${notice.actor === null ? 'the operator of this service' : quote(notice.actor)}, in the account ${quote(notice.account)}.`,
  ];
  const mail = { accountId, subject, lines };
  await Promise.all(
    notice.recipients.map((to) => {
      const action = to === notice.target ? toOwn(entry.action) : entry.action;
      return mailNotice(ports, { ...mail, to, action });
    }),
  );
}

/** What is done to the reader, not to others. */
export const toOwn = (action: string): string => `${action} own`;

/** To one person. */
export async function mailNotice(
  ports: Omit<NoticePorts, 'db'>,
  mail: { accountId: string; action: string; to: string; subject: string; lines: readonly string[] },
): Promise<void> {
  const { limiter, mailer, settings } = ports;
  if (settings.mail === 'none') return;
  const { accountId, action, to, subject, lines } = mail;
  const subjectOfLimit = hashSecret(`${accountId} ${action} ${toMailbox(to)}`);
  const { allowed, remaining } = await limiter.take(MAILS, subjectOfLimit);
  if (!allowed) return;
  const text = [
    ...lines,
    '',
    `If this is wrong, write to ${settings.supportEmail}. If you can sign in, also sign out the browsers and revoke the keys`,
    'that you do not know. The activity of the account shows who did what:',
    `${settings.publicUrl ?? ''}/dashboard/activity`,
    '',
    remaining > 0
      ? `We write at most ${MAILS.limit} times an hour about this.`
      : 'This is the last mail about it for now: what follows within the hour stands in the activity only. Look there.',
    '',
  ].join('\n');
  const id = newId(ports, 'notice');
  await mailer.send({ to, replyTo: null, subject, text, id }, AbortSignal.timeout(TIMEOUT_MS));
}
