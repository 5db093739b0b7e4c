import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect } from '../../dashboard/parts/dealer-select.ts';
import { field, select, textArea } from '../../dashboard/parts/form.ts';
import { number } from '../../dashboard/parts/text.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import type { Feed } from '../feed.ts';
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
export type FeedInput = z.output<typeof FeedFields>;

const CLEARED = {
  format: null,
  dealer: null,
  source_provider_id: null,
  username: null,
  host_key_sha256: null,
};

/** What the form says, in the service's words: a blank field is none, a blank secret stays as it is stored. */
export function toFeedInput({ columns, ...typed }: FeedInput) {
  const isSftp = /^sftp:/i.test(typed.url ?? '');
  return {
    ...CLEARED,
    ...(typed.username === undefined ? { password: null } : {}),
    ...typed,
    ...(isSftp ? {} : { private_key: null, host_key_sha256: null }),
    mapping: toMapping(columns),
  };
}

/** What was typed, to fill the form again; a secret is typed again. */
export const toSent = (given: FeedInput): Record<string, string> =>
  Object.fromEntries(
    Object.keys(FeedFields.shape).map((name) => [name, String(given[name as keyof FeedInput] ?? '')]),
  );

type Given = Pick<PageCall, 'sent' | 'problem'>;
type Dealers = Parameters<typeof dealerSelect>[1];

export function feedFields(call: Given, dealers: Dealers, stored: Feed | null, minMinutes: number): Html {
  const input = (name: keyof Feed, label: string, more: Partial<Parameters<typeof field>[1]> = {}) =>
    field(call, { name, label, value: stored?.[name]?.toString() ?? null, ...more });
  const unsent = { ...call, sent: {} };
  const secret = (isStored: boolean | undefined, hint: string) =>
    isStored ? 'One is stored. Leave this empty to keep it; to check the file, type it again.' : hint;
  const formats = FEED_FORMATS.map((value) => ({ value, label: value.toUpperCase() }));
  return html`${input('name', 'Name', { isRequired: true, maxLength: 200 })}
${input('url', 'Where the file is', { type: 'url', isRequired: true, placeholder: 'https://dms.example/trucks.csv', hint: 'Starts with https:// or sftp://. CSV, Excel, JSON or XML, also zipped.' })}
<div class="row">${ownerSelect(call, dealers, stored?.dealer)}${cadenceSelect(call, stored?.cadence_minutes, minMinutes)}</div>
<details${(stored?.username ?? call.sent.username) ? html` open` : ''}><summary>The server asks for a user name</summary>
<div class="row">${input('username', 'User name', { autocomplete: 'off' })}
${field(unsent, { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: secret(stored?.has_password, '') })}</div>
${textArea(unsent, { name: 'private_key', label: 'Private key, for SFTP only', rows: 2, hint: secret(stored?.has_private_key, 'The text of the key file, if the server takes a key in place of a password.') })}
${input('host_key_sha256', 'Fingerprint of the SFTP server', { autocomplete: 'off', hint: 'Leave it empty and press Check the file: the answer shows the fingerprint to compare.' })}</details>
<details><summary>More about the file</summary>
${select(call, { name: 'format', label: 'Kind of file', value: stored?.format ?? null, choices: [{ value: '', label: 'Recognize it' }, ...formats] })}
${input('source_provider_id', 'System that the file comes from', { hint: 'A short name of your choice. If the same trucks also come another way, use the same name there.' })}
${input('misses_before_delist', 'Take a truck off the list once it is missing from so many files in a row', { type: 'number', value: String(stored?.misses_before_delist ?? 1) })}</details>`;
}

/** Whose the trucks of a file are. */
export function ownerSelect(call: Given, dealers: Dealers, value: string | null = null): Html {
  const [sole, other] = dealers;
  const none = sole && !other ? `${sole.name}, unless a row names another` : 'The one that each row names';
  return dealerSelect(call, dealers, { label: 'Trucks of', none, value });
}

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

function cadenceSelect(call: Given, stored: number | undefined, minMinutes: number): Html {
  const value = stored ?? Math.max(60, minMinutes);
  const choices = [...new Set([minMinutes, value, ...CADENCES.keys()])]
    .filter((minutes) => minutes >= minMinutes || minutes === value)
    .sort((one, other) => one - other)
    .map((minutes) => ({ value: String(minutes), label: showCadence(minutes) }));
  return select(call, { name: 'cadence_minutes', label: 'How often', value: String(value), choices });
}
