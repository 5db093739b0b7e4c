import { html } from 'hono/html';
import { readDealers } from '../../../dashboard/parts/dealer-select.ts';
import { copyable } from '../../../dashboard/parts/text.ts';
import type { Html, PageCall, View } from '../../../http/pages/page.ts';
import type { ApiKey } from '../../operator/schemas.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { widgetTag } from '../../widget/widget-tag.ts';
import { nameKey } from './describe.ts';

const MAX_TAGS = 5;

type Call = Pick<PageCall, 'ctx' | 'session'>;

/** The answer of the form that made the key: the only one that shows it. */
export async function newKeyView(call: Call, key: ApiKey, secret: string): Promise<View> {
  return {
    title: nameKey(key),
    main: html`${settingsTabs(call.session, '/dashboard/settings/keys')}
<section class="card made"><h2>The new key</h2><p>Copy it now: it is shown only this once.</p>
${copyable(secret, 'key')}<div>${await describeUse(call, key, secret)}</div></section>
<p><a href="/dashboard/settings/keys/${key.id}">Change, rotate or revoke it</a></p>
<p><a href="/dashboard/settings/keys">All keys</a></p>`,
  };
}

async function describeUse({ ctx }: Call, { kind, dealers }: ApiKey, secret: string): Promise<Html | string> {
  if (kind === 'secret') return 'Your system sends it as “Authorization: Bearer …”.';
  const all = await readDealers(ctx);
  const own = dealers === null ? all : all.filter(({ slug }) => dealers.includes(slug));
  const tags = own
    .slice(0, MAX_TAGS)
    .map(
      ({ slug, name }) => html`<h3>The tag for ${name}</h3>${copyable(widgetTag(ctx, slug, secret), 'tag')}`,
    );
  return own.length === 0
    ? html`The widget’s tag has it as data-key. <a href="/dashboard/settings/dealers">Add a dealer</a> to get the tag.`
    : html`It is part of the tag. Put the tag before <code>&lt;/body&gt;</code> of every page of the site.${tags}`;
}
