import { findTasks, type Task } from '../../dashboard/overview/attention.ts';
import type { Job } from '../../db/jobs/queue.ts';
import type { Outcome, Work } from '../../jobs/drain.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { MailFailure } from '../../outside/mailer/mailer.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import type { Ports } from '../../ports.ts';
import { readAttention } from '../overview.ts';
import { mailLines } from '../people/mail-lines.ts';
import type { Person } from '../people/queries.ts';
import { makeAlertsOffUrl } from './alert-links.ts';
import { ALERT_KINDS, type AlertKind } from './kinds.ts';
import { findAlertOwners, putBackAlert, takeAlert } from './queries.ts';

const RETRY_SECONDS = 1_800;

/** Mails that a mailbox is sent, whatever its accounts and the spellings of its address. */
const MAILS: Quota = { name: 'alert-mails', limit: 20, windowSeconds: 3_600 };

/** What sellers wrote stands in the text of a mail alone, never in its subject. */
const SUBJECTS: Readonly<Record<AlertKind, string>> = {
  feed: 'Check a feed',
  lead: 'A lead could not be delivered',
  issues: 'Trucks were rejected',
};

/** Mails what is due to the owners; what has passed meanwhile is not mailed. The job's key is the kind of the alert. */
export const alerts: Work = {
  kind: 'alert',
  maxWorkers: 4,
  start: (ports) => (job) => sendAlert(ports, job),
};

const PASSED: Outcome = { again: null, counts: { passed: 1 } };

async function sendAlert(ports: Ports, { accountId, key }: Job): Promise<Outcome> {
  const { db, settings } = ports;
  const kind = ALERT_KINDS.find((kind) => kind === key);
  // Without a mail server nothing is retried: what needs people stands in the overview.
  if (kind === undefined || settings.mail === 'none') return PASSED;
  if (!(await takeAlert(db, accountId, kind))) return PASSED;
  const [owners, attention] = await Promise.all([
    findAlertOwners(db, accountId),
    readAttention(db, accountId),
  ]);
  const tasks = findTasks(attention).filter(({ alert }) => alert === kind);
  const mails = tasks.length === 0 ? [] : owners.map((owner) => mailOwner(ports, kind, tasks, owner));
  const results = await Promise.all(mails);
  if (results.some(Boolean)) return { again: null, counts: { sent: 1 } };
  await putBackAlert(db, accountId, kind);
  return results.length === 0 ? PASSED : { again: RETRY_SECONDS, counts: { failed: 1 } };
}

/** False when the mailbox got enough mails, or the mail was not taken. */
async function mailOwner(
  ports: Ports,
  kind: AlertKind,
  tasks: readonly Task[],
  { id, account_id, email: to }: Pick<Person, 'id' | 'account_id' | 'email'>,
): Promise<boolean> {
  const { allowed } = await ports.limiter.take(MAILS, hashSecret(toMailbox(to)));
  if (!allowed) return false;
  const { publicUrl } = ports.settings;
  const unsubscribeUrl = makeAlertsOffUrl(ports, account_id, id);
  const lines = [
    ...tasks.flatMap(({ what, why, path }) => [
      `${what}. ${why}`,
      ...(publicUrl === null ? [] : [`${publicUrl}${path}`]),
      '',
    ]),
    'We write at most once a day about this.',
    unsubscribeUrl === null
      ? 'To get no such mails, turn them off in the dashboard: Settings, People.'
      : `To stop these mails: ${unsubscribeUrl}`,
  ];
  const link = unsubscribeUrl === null ? {} : { unsubscribeUrl };
  try {
    await mailLines(ports, 'alert', { to, subject: SUBJECTS[kind], lines, ...link });
    return true;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return false;
  }
}
