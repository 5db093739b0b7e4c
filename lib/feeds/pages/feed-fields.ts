import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect } from '../../dashboard/parts/dealer-select.ts';
import { field, textArea } from '../../dashboard/parts/form.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import { ColumnFields, toMapping } from './preview-view.ts';

/** The fields of a feed, as a form and as what the service takes. */

const Text = z.optional(z.string());
export const FeedFields = z.object({
  name: Text,
  url: Text,
  dealer: Text,
  source_provider_id: Text,
  cadence_minutes: z.optional(z.pipe(z.string(), z.transform(Number))),
  username: Text,
  password: Text,
  private_key: Text,
  host_key_sha256: Text,
  ...ColumnFields,
});

/** What the form says, in the service's words: a blank field is none, a blank secret stays as it is stored. */
export const toFeedInput = ({ columns, targets, ...typed }: z.output<typeof FeedFields>) => ({
  dealer: null,
  source_provider_id: null,
  username: null,
  host_key_sha256: null,
  ...(typed.username === undefined ? { password: null } : {}),
  ...typed,
  mapping: toMapping({ columns, targets }),
});

const SECRET = 'Leave it empty to keep a stored one; to check the file, type it again.';

/** `values`: as stored, or as typed before. Secrets are never shown. */
export function feedFields(
  call: Pick<PageCall, 'sent' | 'problem'>,
  values: Readonly<Record<string, unknown>>,
  dealers: Parameters<typeof dealerSelect>[1],
): Html {
  const read = (name: string) => String(values[name] ?? '');
  const input = (name: string, label: string, more: Partial<Parameters<typeof field>[1]> = {}) =>
    field(call, { name, label, value: read(name), ...more });
  const unsent = { ...call, sent: {} };
  return html`${input('name', 'Name', { isRequired: true, maxLength: 200 })}
${input('url', 'Where the file is', { type: 'url', isRequired: true, placeholder: 'https://dms.example/trucks.csv', hint: 'Starts with https:// or sftp://. CSV, Excel, JSON or XML, also zipped.' })}
<div class="row">${dealerSelect(call, dealers, { ...OF_DEALER, value: read('dealer') })}${input('cadence_minutes', 'Minutes between two runs', { type: 'number', isRequired: true })}</div>
${input('source_provider_id', 'System that the file comes from', { hint: 'A short name of your choice. If the same trucks also come another way, use the same name there.' })}
<details${(read('username') || call.sent.username) && html` open`}><summary>The server asks for a user name</summary>
<div class="row">${input('username', 'User name', { autocomplete: 'off' })}
${field(unsent, { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: SECRET })}</div>
${textArea(unsent, { name: 'private_key', label: 'Private key, for SFTP only', rows: 2, hint: SECRET })}
${input('host_key_sha256', 'Fingerprint of the SFTP server', { autocomplete: 'off', hint: 'Leave it empty and press Check the file: the answer shows the fingerprint to compare.' })}</details>`;
}

/** Whose the trucks of a file are. */
export const OF_DEALER = { label: 'Trucks of', none: 'As each row says' };
