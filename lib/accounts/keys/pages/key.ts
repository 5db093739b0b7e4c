import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { button, buttonForm } from '../../../dashboard/parts/form.ts';
import { facts } from '../../../dashboard/parts/table.ts';
import { copyable, moment, momentOr } from '../../../dashboard/parts/text.ts';
import { requireAccount } from '../../../http/context.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, type PageCall, page, type View } from '../../../http/pages/page.ts';
import { listDealers } from '../../dealers/dealers.ts';
import { type ApiKey, NewKey, Origins } from '../../operator/schemas.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { toWords } from '../../pages/to-words.ts';
import { widgetTag } from '../../widget/widget-tag.ts';
import { keyReach, keyState, nameKey, worksStill } from '../describe-key.ts';
import { changeOwnKey, readOwnKey, revokeKey, rotateOwnKey } from '../keys.ts';

/** Sites as people type them: with a path, or without a scheme. */
export const Sites = z._default(
  z.pipe(
    z.transform((lines: readonly string[]) =>
      toWords(lines).map(
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
    const found = await readOwnKey(call.ctx, call.params.id);
    const nowMs = call.ctx.ports.clock.now();
    return {
      title: nameKey(found),
      main: html`${settingsTabs(call.session, '/dashboard/settings/keys')}
<p><a href="/dashboard/settings/keys">All keys</a></p>
${facts([
  ['Starts with', html`<code>${found.prefix}…</code>`],
  ['State', keyState(found, nowMs)],
  ['May', keyReach(found)],
  ['Created', moment(found.created_at)],
  ['Last used', html`${momentOr(found.last_used_at, 'Never')} ${found.last_origin}`],
])}
${worksStill(found, nowMs) ? manage(call, found) : ''}`,
    };
  },
  actions: {
    change: {
      form: Change,
      sensitive: true,
      async run({ ctx, params, form }) {
        await changeOwnKey(ctx, params.id, { ...form, name: form.name ?? null });
        return { to: `/dashboard/settings/keys/${params.id}`, done: 'changed' };
      },
    },
    rotate: {
      form: NoFields,
      sensitive: true,
      run: async (call) => newKeyView(call, await rotateOwnKey(call.ctx, call.params.id)),
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

function manage(call: Pick<PageCall, 'sent' | 'problem'>, found: ApiKey): Html {
  const stored = { ...found, allowed_origins: found.allowed_origins.join('\n') };
  const shown = found.kind === 'publishable' ? ['name', 'allowed_origins'] : ['name'];
  return html`<section><h2>Change it</h2><form method="post" class="card">${fields(call, { schema: Change, form: 'key', stored }, shown)}
${button('change', 'Save', { look: 'primary' })}</form></section>
<section><h2>Rotate it</h2><form method="post" class="card"><p>Creates a new key that may do the same. The old one works for 24 hours more, or until you revoke it.</p>
${button('rotate', 'Create the new key')}</form></section>
<section><h2>Revoke it</h2><div class="card"><p>Whatever still uses it is refused within five seconds. This cannot be undone.</p>
${buttonForm('revoke', 'Revoke the key', {}, { look: 'danger', confirm: 'Revoke this key? Whatever uses it stops working.' })}</div></section>`;
}

/** The answer of the form that made the key: the only one that shows it. */
export async function newKeyView(
  { ctx, session }: Pick<PageCall, 'ctx' | 'session'>,
  { key: secret, ...made }: ApiKey & { key: string },
): Promise<View> {
  const [dealer] = made.dealers ?? (await listDealers(ctx, { limit: 1 })).dealers.map(({ slug }) => slug);
  const use =
    made.kind === 'secret'
      ? 'Your system sends it as “Authorization: Bearer …”.'
      : html`It is part of the tag. Put the tag before <code>&lt;/body&gt;</code> of every page of the site, with the short name of the site’s <a href="/dashboard/settings/dealers">dealer</a> as data-dealer.${copyable(widgetTag(ctx, dealer ?? '', secret), 'tag')}`;
  return {
    title: nameKey(made),
    main: html`${settingsTabs(session, '/dashboard/settings/keys')}
<section class="card made"><h2>The new key</h2><p>Copy it now: it is shown only this once.</p>
${copyable(secret, 'key')}<div>${use}</div></section>
<p><a href="/dashboard/settings/keys/${made.id}">Change, rotate or revoke it</a></p>
<p><a href="/dashboard/settings/keys">All keys</a></p>`,
  };
}
