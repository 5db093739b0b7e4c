import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect, readDealers } from '../../../dashboard/parts/dealer-select.ts';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm } from '../../../dashboard/parts/form.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { ago, empty } from '../../../dashboard/parts/text.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { DAY_MS } from '../../../truck/time.ts';
import { NewKey } from '../../operator/schemas.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { keyReach, keyStatus, nameKey } from '../describe-key.ts';
import { createOwnKey, listOwnKeys } from '../keys.ts';
import { Sites, showNewKey } from './key.ts';

const LastDay = z.pipe(
  z.iso.date(),
  z.transform((day) => new Date(Date.parse(day) + DAY_MS).toISOString()),
);

const KeyForm = z
  .object({ ...NewKey.shape, allowed_origins: Sites, expires_at: z.optional(LastDay) })
  .check(
    z.refine(({ kind, allowed_origins }) => kind === 'secret' || allowed_origins.length > 0, {
      path: ['allowed_origins'],
      error: 'must name the site on which the key is used',
    }),
  );

/** The account's keys, and how to make one. */
export default page({
  notices: { revoked: 'The key is revoked: it is refused everywhere within five seconds.' },
  async show(call) {
    const nowMs = call.ctx.ports.clock.now();
    const keys = await listOwnKeys(call.ctx);
    const list = table(
      'Keys of the account',
      ['Key', 'Access', 'Last used', 'Status'],
      keys.map((key) => [
        html`<a href="/dashboard/settings/keys/${key.id}">${nameKey(key)}</a><br><code>${key.prefix}…</code>`,
        keyReach(key),
        key.last_used_at === null ? 'Never' : html`${ago(key.last_used_at, nowMs)}<br>${key.last_origin}`,
        keyStatus(key, nowMs),
      ]),
    );
    return {
      title: 'Keys',
      main: html`${settingsTabs(call.session, '/dashboard/settings/keys')}
${keys.length === 0 ? empty('No key yet', 'A secret key is for your server, a publishable key for your site’s pages.') : list}
${await newKeyForm(call)}`,
    };
  },
  actions: {
    create: {
      form: KeyForm,
      sensitive: true,
      async run(call) {
        const { kind, scopes } = call.form;
        const input = { ...call.form, scopes: kind === 'secret' ? scopes : null };
        return showNewKey(call, await createOwnKey(call.ctx, input));
      },
    },
  },
});

async function newKeyForm(call: PageCall): Promise<Html> {
  const form = { schema: KeyForm };
  const create = html`${fields(call, form, ['name', 'kind', 'scopes'])}
${dealerSelect(call, await readDealers(call.ctx), { name: 'dealers', none: 'All dealers', label: 'For' })}
${fields(call, form, ['allowed_origins', 'expires_at'])}`;
  return html`<section><h2>Create a key</h2>${actionForm(call, create, 'create', 'Create the key')}</section>`;
}
