import type { Job } from '../../db/jobs/queue.ts';
import type { Outcome, Work } from '../../jobs/work-off.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { MailFailure } from '../../outside/mailer/mailer.ts';
import type { Ports } from '../../outside/ports.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { mailLines } from '../people/mail-lines.ts';
import type { Person } from '../people/queries.ts';
import { readAttention } from '../queries/overview.ts';
import { makeAlertsOffUrl } from './alert-links.ts';
import { type AlertText, describeAlert } from './describe-alert.ts';
import { ALERT_KINDS } from './kinds.ts';
import { findAlertOwners, putBackAlert, takeAlert } from './queries.ts';

const RETRY_SECONDS = 1_800;

/** Mails that a mailbox is sent, whatever its accounts and the spellings of its address. */
const MAILS: Quota = { name: 'alert-mails', limit: 20, windowSeconds: 3_600 };

/** Mails what is due to the owners; what has passed meanwhile is not mailed. The job's key is the kind of the alert. */
export const alerts: Work = {
  kind: 'alert',
  maxWorkers: 4,
  start: (ports) => (job) => sendAlert(ports, job),
};

const PASSED: Outcome = { again: null, counts: { passed: 1 } };

async function sendAlert(ports: Ports, { accountId, key }: Job): Promise<Outcome> {
  const { db, settings } = ports;
  const kind = ALERT_KINDS.find((one) => one === key);
  // Without a mail server nothing is retried: what needs people stands in the overview.
  if (kind === undefined || settings.mail === 'none') return PASSED;
  if (!(await takeAlert(db, accountId, kind))) return PASSED;
  const [owners, attention] = await Promise.all([
    findAlertOwners(db, accountId),
    readAttention(db, accountId),
  ]);
  const text = describeAlert(kind, attention);
  const sent =
    text === null ? [] : await Promise.all(owners.map((owner) => mailOwner(ports, text, accountId, owner)));
  if (sent.some(Boolean)) return { again: null, counts: { sent: 1 } };
  await putBackAlert(db, accountId, kind);
  return sent.length === 0 ? PASSED : { again: RETRY_SECONDS, counts: { failed: 1 } };
}

/** False when the mailbox got enough mails, or the mail was not taken. */
async function mailOwner(
  ports: Ports,
  { subject, lines, path }: AlertText,
  accountId: string,
  { id, email: to }: Pick<Person, 'id' | 'email'>,
): Promise<boolean> {
  const { publicUrl } = ports.settings;
  const { allowed } = await ports.limiter.take(MAILS, hashSecret(toMailbox(to)));
  if (!allowed) return false;
  const unsubscribeUrl = makeAlertsOffUrl(ports, accountId, id);
  const mail = {
    to,
    subject,
    lines: [
      ...lines,
      '',
      ...(publicUrl === null ? [] : [`${publicUrl}${path}`, '']),
      'We write at most once a day about this.',
      unsubscribeUrl === null
        ? 'To get no such mails, turn them off in the dashboard: Settings, People.'
        : `No such mails any more: ${unsubscribeUrl}`,
    ],
    ...(unsubscribeUrl === null ? {} : { unsubscribeUrl }),
  };
  try {
    await mailLines(ports, 'alert', mail);
    return true;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return false;
  }
}
