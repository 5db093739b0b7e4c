import { toMailbox } from '../../domain/accounts/mailbox.ts';
import type { DueAlert } from '../../ports/accounts/alerts.ts';
import { MailFailure } from '../../ports/leads/leads.ts';
import type { Quota } from '../../ports/limits.ts';
import type { Ports } from '../../ports/ports.ts';
import { hashSecret } from '../hash-secret.ts';
import type { JobRun } from '../jobs/job-run.ts';
import { newId } from '../new-id.ts';
import { makeAlertsOffUrl } from './alert-links.ts';
import { type AlertText, describeAlert } from './describe-alert.ts';

const BATCH = 20;
const RETRY_MINUTES = 30;
const MAIL_TIMEOUT_MS = 20_000;
/** A run stops taking alerts in time before the platform would cut it off. */
const RUN_MS = 200_000;

/** Mails that a mailbox is sent, whatever its accounts and the spellings of its address. */
const MAILS: Quota = { name: 'alert-mails', limit: 20, windowSeconds: 3_600 };

type AlertPorts = Pick<Ports, 'alerts' | 'overview' | 'mailer' | 'settings' | 'random' | 'clock' | 'limiter'>;
type Counts = Record<'sent' | 'passed' | 'failed', number>;

/** Mails what is due to the owners; what has passed meanwhile is not mailed. */
export async function sendAlerts(ports: AlertPorts): Promise<JobRun> {
  const counts: Counts = { sent: 0, passed: 0, failed: 0 };
  const until = ports.clock.now() + RUN_MS;
  while (ports.clock.now() < until) {
    const due = await ports.alerts.claim(BATCH);
    if (due.length === 0) break;
    for (const alert of due) counts[await sendAlert(ports, alert)] += 1;
  }
  return { outcome: 'done', result: counts };
}

async function sendAlert(ports: AlertPorts, alert: DueAlert): Promise<keyof Counts> {
  // Without a mail server nothing is retried: what needs people stands in the overview.
  if (ports.settings.mail === 'none') return 'passed';
  const { accountId, kind } = alert;
  const [owners, found] = await Promise.all([
    ports.alerts.of(accountId).recipients(),
    ports.overview.of(accountId).attention(),
  ]);
  const text = describeAlert(kind, found);
  if (text === null || owners.length === 0) {
    await ports.alerts.unsent(alert, null);
    return 'passed';
  }
  const sent = await Promise.all(
    owners.map(({ id, email }) => mailOwner(ports, text, email, makeAlertsOffUrl(ports, accountId, id))),
  );
  if (sent.some(Boolean)) return 'sent';
  await ports.alerts.unsent(alert, RETRY_MINUTES);
  return 'failed';
}

/** False when the mailbox got enough mails, or the mail was not taken. */
async function mailOwner(
  ports: AlertPorts,
  { subject, lines, path }: AlertText,
  to: string,
  unsubscribeUrl: string | null,
): Promise<boolean> {
  const { allowed } = await ports.limiter.take(MAILS, hashSecret(toMailbox(to)));
  if (!allowed) return false;
  const { publicUrl } = ports.settings;
  const text = [
    ...lines,
    '',
    ...(publicUrl === null ? [] : [`${publicUrl}${path}`, '']),
    'We write at most once a day about this.',
    unsubscribeUrl === null
      ? 'To get no such mails, turn them off in the dashboard: Settings, People.'
      : `No such mails any more: ${unsubscribeUrl}`,
    '',
  ].join('\n');
  const mail = { to, replyTo: null, subject, text, id: newId(ports, 'alert') };
  try {
    await ports.mailer.send(
      unsubscribeUrl === null ? mail : { ...mail, unsubscribeUrl },
      AbortSignal.timeout(MAIL_TIMEOUT_MS),
    );
    return true;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return false;
  }
}
