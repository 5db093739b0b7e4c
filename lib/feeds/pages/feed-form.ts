import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect } from '../../dashboard/parts/dealer-select.ts';
import { field, select, textArea } from '../../dashboard/parts/form.ts';
import { count } from '../../dashboard/parts/text.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import type { Feed } from '../feed.ts';
import { FEED_FORMATS, type FeedFormat } from '../schemas/feed-files.ts';
import { ColumnFields, chosenColumns } from './chosen-columns.ts';

/** The fields of a feed, as a form and as what the service takes. */

const Text = z.optional(z.string());
export const FeedFields = z.object({
  name: Text,
  url: Text,
  format: Text,
  dealer: Text,
  source_provider_id: Text,
  cadence_minutes: Text,
  misses_before_delist: Text,
  username: Text,
  password: Text,
  private_key: Text,
  host_key_sha256: Text,
  forget_key: z.optional(z.literal('true')),
  ...ColumnFields,
});
export type FeedInput = z.output<typeof FeedFields>;

/** What the form says, in the service's words: a blank field is none, a blank secret stays as it is stored. */
export function toFeedInput(given: FeedInput) {
  const { columns, targets, forget_key, cadence_minutes, misses_before_delist, ...texts } = given;
  const { name, url, password, private_key, ...optional } = texts;
  const isSftp = /^sftp:/i.test(url ?? '');
  const withoutKey = forget_key !== undefined || !isSftp;
  return {
    name,
    url,
    format: null,
    dealer: null,
    source_provider_id: null,
    username: null,
    ...optional,
    host_key_sha256: isSftp ? (optional.host_key_sha256 ?? null) : null,
    password: password ?? (optional.username === undefined ? null : undefined),
    private_key: isSftp && private_key !== undefined ? private_key : withoutKey ? null : undefined,
    ...(cadence_minutes === undefined ? {} : { cadence_minutes: Number(cadence_minutes) }),
    ...(misses_before_delist === undefined ? {} : { misses_before_delist: Number(misses_before_delist) }),
    ...(columns === undefined ? {} : { mapping: toMapping({ columns, targets }) }),
  };
}

function toMapping(given: Pick<FeedInput, 'columns' | 'targets'>) {
  const chosen = chosenColumns(given);
  return Object.keys(chosen).length === 0 ? null : chosen;
}

/** What was typed, to fill the form again; a secret is typed again. */
export const toSent = (given: FeedInput): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

const FORMATS: Readonly<Record<FeedFormat, string>> = {
  csv: 'CSV (commas)',
  tsv: 'Text with tabs',
  pipe: 'Text with | between values',
  json: 'JSON',
  ndjson: 'JSON, one truck on a line',
  xml: 'XML',
  xlsx: 'Excel (.xlsx)',
};

type Given = Pick<PageCall, 'sent' | 'problem'>;

export function feedFields(
  call: Given,
  dealers: Parameters<typeof dealerSelect>[1],
  { stored, minMinutes }: { stored: Feed | null; minMinutes: number },
): Html {
  const input = (name: keyof Feed, label: string, more: Partial<Parameters<typeof field>[1]> = {}) =>
    field(call, { name, label, value: stored?.[name]?.toString() ?? null, ...more });
  const none = dealers.length > 1 ? 'The one that each row names' : 'Not named';
  return html`${input('name', 'Name', { placeholder: 'Nightly export', isRequired: true, maxLength: 200 })}
${input('url', 'Where the file is', { type: 'url', isRequired: true, placeholder: 'https://dms.example/trucks.csv', hint: 'Starts with https:// or sftp://. CSV, Excel, JSON or XML, also zipped.' })}
<div class="row">${dealerSelect(call, dealers, { label: 'Trucks of', none, value: stored?.dealer ?? null })}
${scheduleSelect(call, stored?.cadence_minutes ?? null, minMinutes)}</div>
${credentials(call, input, stored)}<details><summary>More about the file</summary>
${select(call, { name: 'format', label: 'Kind of file', value: stored?.format ?? null, choices: [{ value: '', label: 'Recognize it' }, ...FEED_FORMATS.map((value) => ({ value, label: FORMATS[value] }))] })}
${input('source_provider_id', 'System that the file comes from', { maxLength: 200, hint: 'A short name of your choice. If the same trucks also come another way, use the same name there.' })}
${input('misses_before_delist', 'Take a truck off the list once it is missing from so many files in a row', { type: 'number', value: String(stored?.misses_before_delist ?? 1) })}</details>`;
}

const MINUTES = [60, 120, 180, 240, 360, 720, 1_440, 2_880, 10_080];

function scheduleSelect(call: Given, minutes: number | null, minMinutes: number): Html {
  const offered = [...new Set([minMinutes, ...MINUTES, minutes ?? minMinutes])].filter(
    (each) => each >= minMinutes || each === minutes,
  );
  const choices = offered
    .toSorted((a, b) => a - b)
    .map((each) => ({ value: `${each}`, label: showCadence(each) }));
  const value = `${minutes ?? Math.max(60, minMinutes)}`;
  return select(call, { name: 'cadence_minutes', label: 'How often', value, choices });
}

const CADENCES: Readonly<Record<number, string>> = {
  60: 'Every hour',
  1440: 'Once a day',
  10080: 'Once a week',
};

export function showCadence(minutes: number): string {
  const [each, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return CADENCES[minutes] ?? `Every ${count(each, unit)}`;
}

type Input = (name: keyof Feed, label: string, more?: Partial<Parameters<typeof field>[1]>) => Html;

/** Stored secrets are never shown: what is typed takes their place. */
function credentials(call: Given, input: Input, stored: Feed | null): Html {
  const isOpen = stored?.username != null || call.sent.username !== undefined;
  const kept = 'One is stored. Leave this empty to keep it; what you type replaces it.';
  const unsent = { ...call, sent: {} };
  return html`<details${isOpen ? html` open` : ''}><summary>The server asks for a user name</summary>
<div class="row">${input('username', 'User name', { autocomplete: 'off', maxLength: 200 })}
${field(unsent, { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', maxLength: 1_000, ...(stored?.has_password ? { hint: kept } : {}) })}</div>
${textArea(unsent, { name: 'private_key', label: 'Private key, for SFTP only', rows: 2, hint: stored?.has_private_key ? kept : 'The text of the key file, if the server takes a key in place of a password.' })}
${stored?.has_private_key ? html`<label class="choice"><input type="checkbox" name="forget_key" value="true"> <span>Remove the stored key</span></label>` : ''}
${input('host_key_sha256', 'Fingerprint of the SFTP server', { autocomplete: 'off', hint: 'Leave it empty and press Check the file: the answer shows the fingerprint to compare.' })}</details>`;
}
