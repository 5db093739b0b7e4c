import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect } from '../../dashboard/parts/dealer-select.ts';
import { field, select, textArea } from '../../dashboard/parts/form.ts';
import { number } from '../../dashboard/parts/text.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import { FEED_FORMATS } from '../schemas/feed-files.ts';
import { ColumnChoices, toMapping } from './columns.ts';

/** The fields of a feed, as a form and as what the service takes. */

const Text = z.optional(z.string());
const Whole = z.optional(z.pipe(z.string(), z.transform(Number)));
export const FeedFields = z.object({
  name: Text,
  url: Text,
  format: Text,
  dealer: Text,
  source_provider_id: Text,
  cadence_minutes: Whole,
  misses_before_delist: Whole,
  username: Text,
  password: Text,
  private_key: Text,
  host_key_sha256: Text,
  columns: ColumnChoices,
});
type FeedInput = z.output<typeof FeedFields>;

/** What the form says, in the service's words: a blank field is none, a blank secret stays as it is stored. */
export function toFeedInput({ columns, ...typed }: FeedInput) {
  const isSftp = /^sftp:/i.test(typed.url ?? '');
  return {
    protocol: isSftp ? 'sftp' : 'https',
    format: null,
    dealer: null,
    source_provider_id: null,
    username: null,
    host_key_sha256: null,
    ...(typed.username === undefined ? { password: null } : {}),
    ...typed,
    ...(isSftp ? {} : { private_key: null, host_key_sha256: null }),
    mapping: toMapping(columns),
  };
}

const SECRET = 'Leave it empty to keep a stored one; to check the file, type it again.';

/** `values`: as stored, or as typed before. Secrets are never shown. */
export function feedFields(
  call: Pick<PageCall, 'sent' | 'problem'>,
  values: Readonly<Record<string, unknown>>,
  dealers: Parameters<typeof dealerSelect>[1],
  minMinutes: number,
): Html {
  const read = (name: string, otherwise = '') => String(values[name] ?? otherwise);
  const input = (name: string, label: string, more: Partial<Parameters<typeof field>[1]> = {}) =>
    field(call, { name, label, value: read(name), ...more });
  const unsent = { ...call, sent: {} };
  const formats = FEED_FORMATS.map((value) => ({ value, label: value.toUpperCase() }));
  return html`${input('name', 'Name', { isRequired: true, maxLength: 200 })}
${input('url', 'Where the file is', { type: 'url', isRequired: true, placeholder: 'https://dms.example/trucks.csv', hint: 'Starts with https:// or sftp://. CSV, Excel, JSON or XML, also zipped.' })}
<div class="row">${dealerSelect(call, dealers, { ...OF_DEALER, value: read('dealer') })}${cadenceSelect(call, Number(read('cadence_minutes', String(Math.max(60, minMinutes)))), minMinutes)}</div>
<details${read('username', call.sent.username) && html` open`}><summary>The server asks for a user name</summary>
<div class="row">${input('username', 'User name', { autocomplete: 'off' })}
${field(unsent, { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: SECRET })}</div>
${textArea(unsent, { name: 'private_key', label: 'Private key, for SFTP only', rows: 2, hint: SECRET })}
${input('host_key_sha256', 'Fingerprint of the SFTP server', { autocomplete: 'off', hint: 'Leave it empty and press Check the file: the answer shows the fingerprint to compare.' })}</details>
<details><summary>More about the file</summary>
${select(call, { name: 'format', label: 'Kind of file', value: read('format'), choices: [{ value: '', label: 'Recognize it' }, ...formats] })}
${input('source_provider_id', 'System that the file comes from', { hint: 'A short name of your choice. If the same trucks also come another way, use the same name there.' })}
${input('misses_before_delist', 'Take a truck off the list once it is missing from so many files in a row', { type: 'number', value: read('misses_before_delist', '1') })}</details>`;
}

/** Whose the trucks of a file are. */
export const OF_DEALER = { label: 'Trucks of', none: 'The one that each row names, or your only one' };

const CADENCES: ReadonlyMap<number, string> = new Map([
  [60, 'Every hour'],
  [180, 'Every 3 hours'],
  [360, 'Every 6 hours'],
  [720, 'Every 12 hours'],
  [1_440, 'Once a day'],
  [10_080, 'Once a week'],
]);

export const showCadence = (minutes: number): string =>
  CADENCES.get(minutes) ?? `Every ${number(minutes)} minutes`;

function cadenceSelect(call: Pick<PageCall, 'sent' | 'problem'>, chosen: number, minMinutes: number): Html {
  const choices = [...new Set([minMinutes, chosen, ...CADENCES.keys()])]
    .sort((one, other) => one - other)
    .map((minutes) => ({ value: String(minutes), label: showCadence(minutes) }));
  return select(call, { name: 'cadence_minutes', label: 'How often', value: String(chosen), choices });
}
