import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect } from '../../dashboard/parts/dealer-select.ts';
import { fields } from '../../dashboard/parts/fields.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import { FeedCreate } from '../schemas/feeds.ts';
import { ColumnFields, toMapping } from './preview-view.ts';

/** A feed as a form: the members of the API; a blank secret stays as it is stored. */

const Secret = z.optional(z.string());
const { name, url, dealer, source_provider_id, cadence_minutes, username, host_key_sha256 } =
  FeedCreate.shape;
export const FeedForm = z.object({
  name,
  url,
  dealer,
  source_provider_id,
  cadence_minutes,
  username,
  host_key_sha256,
  password: Secret,
  private_key: Secret,
  ...ColumnFields,
});

export const toFeedInput = ({ columns, targets, ...typed }: z.output<typeof FeedForm>) => ({
  ...(typed.username === null ? { password: null } : {}),
  ...typed,
  mapping: toMapping({ columns, targets }),
});

/** `stored`: the feed, or as it was typed before. */
export function feedFields(
  call: Pick<PageCall, 'sent' | 'problem'>,
  stored: Readonly<Record<string, unknown>>,
  dealers: Parameters<typeof dealerSelect>[1],
): Html {
  const show = (...rows: Parameters<typeof fields>[2]) =>
    fields(call, { schema: FeedForm, form: 'feed', stored }, rows);
  const value = String(stored.dealer ?? '');
  return html`${show('name', 'url')}
<div class="row">${dealerSelect(call, dealers, { ...OF_DEALER, value })}${show('cadence_minutes')}</div>
${show('source_provider_id')}
<details${(call.sent.username || stored.username) && html` open`}><summary>The server asks for a user name</summary>
${show(['username', 'password'], 'private_key', 'host_key_sha256')}</details>`;
}

/** Whose the trucks of a file are. */
export const OF_DEALER = { label: 'Trucks of', none: 'As each row says' };
