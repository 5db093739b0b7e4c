import { html } from 'hono/html';
import * as z from 'zod/mini';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { empty } from '../../dashboard/parts/text.ts';
import type { Context } from '../../http/context.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { settingsTabs } from '../pages/tabs.ts';
import { widgetTag } from './widget-tag.ts';

/** The tag for a dealer's site. */
export default page({
  query: z.object({ dealer: z.optional(z.string().check(z.maxLength(64))) }),
  async show({ ctx, session, query }) {
    const dealers = await readDealers(ctx);
    const chosen = dealers.find(({ slug }) => slug === query.dealer) ?? dealers[0];
    const links = dealers.map(({ slug, name }) => html`<a href="?dealer=${slug}">${name}</a> `);
    return {
      title: 'Widget',
      main: html`${settingsTabs(session, '/dashboard/settings/widget')}
<p>One line on the pages of a dealer’s site lets visitors search its trucks, ask about them and leave their number.</p>
${chosen ? html`${showTag(ctx, chosen)}<p>Dealers: ${links}</p>` : empty('No dealer yet', html`<a href="/dashboard/settings/dealers">Add a dealer</a> first: the widget is about its trucks.`)}
<section><h2>Preview</h2><details><summary>Show the widget on a page, with trucks made up for it</summary><iframe class="preview" src="/docs/widget-preview.html" title="The widget on a page" loading="lazy"></iframe></details></section>`,
    };
  },
});

/** Keys are stored as hashes: the tag is complete when its key is made, and here is not offered for copying. */
const showTag = (ctx: Context, { slug, name }: { slug: string; name: string }): Html =>
  html`<h2>The tag for ${name}</h2><p class="card"><code>${widgetTag(ctx, slug, 'ctis_wk_live_…')}</code></p>
<p class="hint">It stands before <code>&lt;/body&gt;</code> of every page of the site, with the whole key of the site. An owner of the account makes one under <a href="/dashboard/settings/keys">Keys</a>, where the tag is then shown complete. <a href="/docs/widget#when-nothing-shows">When nothing shows</a>.</p>`;
