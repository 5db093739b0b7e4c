import { html } from 'hono/html';
import * as z from 'zod/mini';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { copyable, empty } from '../../dashboard/parts/text.ts';
import type { Context } from '../../http/context.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { readDealer } from '../dealers/dealers.ts';
import { worksStill } from '../keys/describe-key.ts';
import { listOwnKeys } from '../keys/keys.ts';
import { settingsTabs } from '../pages/tabs.ts';
import { widgetTag } from './widget-tag.ts';

/** The tag for a dealer's site. */
export default page({
  notices: { created: 'The key is created.' },
  query: z.object({ dealer: z.optional(z.string().check(z.maxLength(64))) }),
  async show({ ctx, session, query }) {
    const dealers = await readDealers(ctx);
    const dealer = query.dealer === undefined ? dealers[0] : await readDealer(ctx, query.dealer);
    const links = dealers.map(({ slug, name }) => html`<a href="?dealer=${slug}">${name}</a> `);
    return {
      title: 'Widget',
      main: html`${settingsTabs(session, '/dashboard/settings/widget')}
<p>One line on the pages of a dealer’s site lets visitors search its trucks, ask about them and leave their number.</p>
${dealer ? html`${await showTags(ctx, dealer)}<p>Dealers: ${links}</p>` : empty('No dealer yet', html`<a href="/dashboard/settings/dealers">Add a dealer</a> first: the widget is about its trucks.`)}
<section><h2>Preview</h2><details><summary>Show the widget on a page with made-up trucks</summary><iframe class="preview" src="/docs/widget-preview.html" title="The widget on a page" loading="lazy"></iframe></details></section>`,
    };
  },
});

/** One for each key whose sites may show this dealer's trucks. */
async function showTags(ctx: Context, { slug, name }: { slug: string; name: string }): Promise<Html> {
  const nowMs = ctx.ports.clock.now();
  const tags = (await listOwnKeys(ctx)).flatMap((key) =>
    key.key && worksStill(key, nowMs) && (key.dealers?.includes(slug) ?? true)
      ? [html`<p>For ${key.allowed_origins.join(', ')}</p>${copyable(widgetTag(ctx, slug, key.key), 'tag')}`]
      : [],
  );
  const none = html`<p>No publishable key is for this dealer yet. An owner creates one under <a href="/dashboard/settings/keys">Keys</a>.</p>`;
  return html`<h2>The tag for ${name}</h2><div class="card">${tags.length > 0 ? tags : none}</div>
<p class="hint">Put it before <code>&lt;/body&gt;</code> on every page of the site. <a href="/docs/widget#when-nothing-shows">When nothing shows</a></p>`;
}
