import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm, button, buttonForm } from '../../../dashboard/parts/form.ts';
import { toQuery } from '../../../dashboard/parts/links.ts';
import { facts } from '../../../dashboard/parts/table.ts';
import { copyable, moment, momentOr } from '../../../dashboard/parts/text.ts';
import { requireAccount } from '../../../http/context.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, type PageCall, page, type Reply } from '../../../http/pages/page.ts';
import { type ApiKey, NewKey, Origins } from '../../operator/schemas.ts';
import { splitEntries } from '../../pages/split-entries.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { keyReach, keyStatus, nameKey, worksStill } from '../describe-key.ts';
import { changeOwnKey, readOwnKey, revokeKey, rotateOwnKey } from '../keys.ts';

/** Sites as people type them: with a path, or without a scheme. */
export const Sites = z._default(
  z.pipe(
    z.transform((lines: readonly string[]) =>
      splitEntries(lines).map(
        (word) => URL.parse(word.includes('://') ? word : `https://${word}`)?.origin ?? word,
      ),
    ),
    Origins,
  ),
  [],
);

const Change = z.object({ name: NewKey.shape.name, allowed_origins: Sites });

/** One key: what it is, its sites, its successor, its end. */
export default page({
  params: z.object({ id: z.string() }),
  notices: { changed: 'The key is changed.' },
  async show(call) {
    const key = await readOwnKey(call.ctx, call.params.id);
    const nowMs = call.ctx.ports.clock.now();
    return {
      title: nameKey(key),
      main: html`${settingsTabs(call.session, '/dashboard/settings/keys')}
<p><a href="/dashboard/settings/keys">All keys</a></p>
${facts([
  ['Key', html`<code>${key.key ?? `${key.prefix}…`}</code>`],
  ['Status', keyStatus(key, nowMs)],
  ['Access', keyReach(key)],
  ['Created', moment(key.created_at)],
  ['Last used', html`${momentOr(key.last_used_at, 'Never')} ${key.last_origin}`],
])}
${worksStill(key, nowMs) && manage(call, key)}`,
    };
  },
  actions: {
    change: {
      form: Change,
      sensitive: true,
      async run({ ctx, params, form, address }) {
        await changeOwnKey(ctx, params.id, { ...form, name: form.name ?? null });
        return { to: address, done: 'changed' };
      },
    },
    rotate: {
      form: NoFields,
      sensitive: true,
      run: async (call) => showNewKey(call, await rotateOwnKey(call.ctx, call.params.id)),
    },
    revoke: {
      form: NoFields,
      sensitive: true,
      async run({ ctx, params }) {
        await revokeKey(ctx, params.id, requireAccount(ctx).id);
        return { to: '/dashboard/settings/keys', done: 'revoked' };
      },
    },
  },
});

function manage(call: PageCall<unknown>, key: ApiKey): Html {
  const stored = { ...key, allowed_origins: key.allowed_origins.join('\n') };
  const fieldNames = key.kind === 'publishable' ? ['name', 'allowed_origins'] : ['name'];
  const change = fields(call, { schema: Change, stored }, fieldNames);
  return html`<section><h2>Change the key</h2>${actionForm(call, change, 'change', 'Save')}</section>
<section><h2>Rotate the key</h2><form method="post" class="card"><p>Creates a new key with the same access. This one works for 24 more hours, or until you revoke it.</p>
${button('rotate', 'Create the new key')}</form></section>
<section><h2>Revoke the key</h2><div class="card"><p>Whatever still uses it is refused within five seconds. This cannot be undone.</p>
${buttonForm('revoke', 'Revoke the key', {}, { look: 'danger', confirm: 'Revoke this key? Whatever uses it stops working.' })}</div></section>`;
}

/** The reply to the form that made the key: a secret key is shown only here, the tag of the other at any time. */
export function showNewKey({ session }: Pick<PageCall, 'session'>, key: ApiKey & { key: string }): Reply {
  if (key.kind === 'publishable')
    return { to: `/dashboard/settings/widget${toQuery({ dealer: key.dealers?.[0] })}`, done: 'created' };
  return {
    title: nameKey(key),
    main: html`${settingsTabs(session, '/dashboard/settings/keys')}
<section class="card made"><h2>The new key</h2><p>Copy it now: it is shown only this once.</p>
${copyable(key.key, 'key')}<p>Your system sends it as “Authorization: Bearer …”.</p></section>
<p><a href="/dashboard/settings/keys/${key.id}">Change, rotate or revoke it</a></p>
<p><a href="/dashboard/settings/keys">All keys</a></p>`,
  };
}
