import { labelFor as labelForRecord } from '../../truck/record/record.ts';
import { toTable } from '../../truck/text/table.ts';

/** What a form says of one of its fields; the rest follows from the schema. */
interface FieldWords {
  label: string;
  hint?: string;
  placeholder?: string;
  autocomplete?: string;
  /** Where the schema does not say it. */
  type?: 'tel' | 'url' | 'password' | 'search';
  /** Lines of a text area. */
  rows?: number;
  /** Labels of the values, in their order; '' is the choice of none. */
  choices?: Readonly<Record<string, string>>;
}

const SECRET = 'Leave it empty to keep what is stored. To check the file, type it.';

/** Fields of forms by name; others have the words of a truck. */
const FIELDS: Readonly<Record<string, FieldWords>> = toTable<FieldWords>({
  name: { label: 'Name' },
  email: { label: 'E-mail address', autocomplete: 'email' },
  phone: { label: 'Phone', type: 'tel' },
  sms: { label: 'Number for text messages', type: 'tel' },
  website: { label: 'Web site', type: 'url', placeholder: 'https://www.dealer.example' },
  address: { label: 'Street' },
  zip: { label: 'ZIP code' },
  hours: {
    label: 'Opening hours',
    hint: 'Such as Mon-Fri 8am-12pm 1pm-5pm, Sat 9am-1pm. Days that are not named are closed.',
    rows: 7,
  },
  closed_on: { label: 'Closed on', placeholder: '2026-12-25' },
  time_zone: { label: 'Time zone', placeholder: 'America/Chicago' },
  reply_minutes: { label: 'Reply time in minutes' },
  lead_email: { label: 'Leads by mail to', hint: 'Each mail has a link until the address is confirmed.' },
  lead_email_format: {
    label: 'Format of lead mails',
    choices: { both: 'For people and a CRM', adf: 'For a CRM only (ADF)' },
  },
  lead_webhook_url: {
    label: 'Leads by webhook to',
    hint: 'https only. It is called once when you save it. Then, below the form, you see how that ended and can send a test lead.',
  },
  slug: {
    label: 'Short name',
    hint: 'Lower case, digits and hyphens; made from the name if you leave it empty. Files and the widget’s tag name the dealer by it; it cannot be changed.',
    placeholder: 'lone-star-trucks',
  },
  url: {
    label: 'Where the file is',
    hint: 'Starts with https:// or sftp://. CSV, Excel, JSON or XML, also zipped.',
    placeholder: 'https://dms.example/trucks.csv',
    type: 'url',
  },
  cadence_minutes: { label: 'Minutes between two runs' },
  source_provider_id: {
    label: 'System that the file comes from',
    hint: 'Any name you choose. If the same trucks also come another way, use the same name there.',
  },
  username: { label: 'User name', autocomplete: 'off' },
  password: { label: 'Password', hint: SECRET, type: 'password', autocomplete: 'new-password' },
  private_key: { label: 'Private key, for SFTP only', hint: SECRET, type: 'password', rows: 2 },
  host_key_sha256: {
    label: 'Fingerprint of the SFTP server',
    hint: 'Leave it empty and press Check the file: the answer shows the fingerprint to compare.',
    autocomplete: 'off',
  },
  mapping: { label: 'Columns' },
  lot: {
    label: 'The file has',
    hint: 'Your whole lot is that of all dealers. Trucks of earlier uploads that it lacks are delisted; we ask first if more than 20 and more than 30 % would go.',
    choices: { part: 'Some of our trucks', whole: 'Our whole lot' },
  },
  file: { label: 'File' },
  sample_base64: { label: 'File' },
  allowed_origins: {
    label: 'Sites that may use it',
    hint: 'A key for a web site needs its address, one on a line.',
    placeholder: 'https://www.dealer.example',
    rows: 2,
  },
  scopes: {
    label: 'Access on a server',
    hint: 'Everything, if none is chosen.',
    choices: {
      'inventory:read': 'Read trucks and dealers',
      'inventory:write': 'Send and change trucks and dealers',
      feeds: 'Feeds',
      leads: 'Leads',
      market: 'Market data',
    },
  },
  role: {
    label: 'Role',
    choices: {
      member: 'Member: works with trucks, feeds and leads',
      owner: 'Owner: also keys, people and erasure',
    },
  },
  account_name: { label: 'Name of the account, to confirm' },
  code: { label: 'Code of 8 digits', placeholder: '1234 5678', autocomplete: 'one-time-code' },
  token: { label: 'Token', type: 'password', autocomplete: 'current-password' },
  kind: {
    label: 'Where is it used?',
    choices: {
      publishable: 'On a web site: for the widget only',
      secret: 'On a server: sends trucks, reads leads',
    },
  },
  expires_at: {
    label: 'Its last day',
    hint: 'The key works until the day ends (UTC). If blank, it does not expire.',
  },
  tier: { label: 'Tier' },
  in_market: {
    label: 'Market',
    choices: { true: 'Counts in the market', false: 'Left out, as tests and demonstrations are' },
  },
  limit_multiplier: { label: 'Multiple of the limits, 1 to 100' },
  min_feed_cadence_minutes: { label: 'Fastest feed, in minutes' },
});

export const wordsFor = (name: string): FieldWords => FIELDS[name] ?? { label: labelForRecord(name) };

/** What a field of a form is called on its page. `mapping.Asking $` → Columns. */
export function labelForField(field: string): string {
  const [name = ''] = field.split('.');
  return wordsFor(name).label;
}
