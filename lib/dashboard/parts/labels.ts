import { labelFor as labelForRecord } from '../../truck/record/record.ts';
import { toTable } from '../../truck/text/table.ts';

/** Fields of forms that are no fields of a truck. */
const LABELS: Readonly<Record<string, string>> = toTable({
  name: 'Name',
  email: 'E-mail address',
  sms: 'Number for text messages',
  website: 'Web site',
  address: 'Street',
  hours: 'Opening hours',
  reply_minutes: 'Answers within minutes',
  lead_email: 'Leads by mail to',
  lead_email_format: 'Format of lead mails',
  lead_webhook_url: 'Leads by webhook to',
  slug: 'Short name',
  url: 'Where the file is',
  username: 'User name',
  private_key: 'Private key',
  host_key_sha256: 'Fingerprint of the SFTP server',
  cadence_minutes: 'Minutes between two runs',
  mapping: 'Columns',
  file: 'File',
  origins: 'Sites that may use it',
  sample_base64: 'File',
});

/** What a field of a form is called on its page. `mapping.Asking $` → Columns. */
export function labelForField(field: string): string {
  const [name = ''] = field.split('.');
  return LABELS[name] ?? labelForRecord(name);
}
