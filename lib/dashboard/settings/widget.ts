import { html } from 'hono/html';
import * as z from 'zod/mini';
import { page } from '../../http/pages/page.ts';
import { listDealers } from '../../services/accounts/dealers.ts';
import { listOwnKeys } from '../../services/accounts/own-keys.ts';
import { table } from '../parts/table.ts';
import { ago, badge, copyable, empty } from '../parts/text.ts';
import { worksStill } from './keys/describe.ts';
import { settingsTabs } from './tabs.ts';

/** The tag for a dealer's site, a preview, and the sites where the widget was seen. */
export const widget = page({
  query: z.object({ dealer: z.optional(z.string().check(z.maxLength(64))) }),
  async show(call) {
    const { ctx, session, query } = call;
    const [keys, { dealers }] = await Promise.all([listOwnKeys(ctx), listDealers(ctx, { limit: 200 })]);
    const nowMs = ctx.ports.clock.now();
    const widgetKeys = keys.filter((key) => key.kind === 'publishable' && worksStill(key, nowMs));
    const chosen = dealers.find(({ slug }) => slug === query.dealer) ?? dealers[0];
    const origin = ctx.ports.settings.publicUrl ?? ctx.origin;
    const tag = `<script async src="${origin}/widget.js" data-dealer="${chosen?.slug ?? ''}" data-key="ctis_wk_live_…"></script>`;
    const seen = table(
      'Keys of the widget',
      [{ label: 'Key' }, { label: 'Sites that may use it' }, { label: 'Last seen on' }],
      widgetKeys.map(({ id, name, prefix, allowed_origins, last_origin, last_used_at }) => [
        html`<a href="/dashboard/settings/keys/${id}">${name ?? 'Widget key'}</a><br><code>${prefix}…</code>`,
        allowed_origins.join(', ') || badge('none yet', 'warn'),
        last_used_at === null ? 'Nowhere yet' : html`${last_origin ?? 'A site'}, ${ago(last_used_at, nowMs)}`,
      ]),
    );
    return {
      title: 'Widget',
      main: html`${settingsTabs(session, '/dashboard/settings/widget')}
<p>One line on the pages of a dealer’s site lets visitors search its trucks, ask about them and leave their number.</p>
${chosen ? html`<h2>The tag for ${chosen.name}</h2>${copyable(tag, 'tag')}<p class="hint">Put it before <code>&lt;/body&gt;</code> of every page, with your widget key as data-key. <a href="/docs/widget">More about it</a>.</p>` : empty('No dealer yet', html`<a href="/dashboard/settings/dealers">Add a dealer</a> first: the widget is about its trucks.`)}
${dealers.length > 1 ? html`<p>Other dealers: ${dealers.filter((dealer) => dealer !== chosen).map(({ slug, name }) => html`<a href="?dealer=${slug}">${name}</a> `)}</p>` : ''}
<section><h2>Keys of the widget</h2>${widgetKeys.length === 0 ? empty('No widget key yet', html`<a href="/dashboard/settings/keys">Make one</a> for a web site, with the address of the site.`) : seen}</section>
<section><h2>Preview</h2><p><a class="button" href="/docs/widget">Try it with trucks made up for it</a></p></section>`,
    };
  },
});
