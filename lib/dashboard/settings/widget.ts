import { html } from 'hono/html';
import * as z from 'zod/mini';
import { type Html, type PageCall, page, type View } from '../../http/pages/page.ts';
import { listDealers } from '../../services/accounts/dealers.ts';
import { listOwnKeys } from '../../services/accounts/own-keys.ts';
import type { Context } from '../../services/context.ts';
import { checkPage, type Finding } from '../../services/widget/check-page.ts';
import { button, field } from '../parts/form.ts';
import { table } from '../parts/table.ts';
import { ago, badge, copyable, empty } from '../parts/text.ts';
import { worksStill } from './keys/describe.ts';
import { settingsTabs } from './tabs.ts';

/** The tag for a dealer's site, a check of a page that has it, and the sites where the widget was seen. */
export const widget = page({
  query: z.object({ dealer: z.optional(z.string().check(z.maxLength(64))) }),
  show: (call) => showWidget(call, null),
  actions: {
    check: {
      form: z.object({ page: z.string().check(z.maxLength(2_000)) }),
      run: async (call) => showWidget(call, await checkPage(call.ctx, call.form.page)),
    },
  },
});

type Call = PageCall<undefined, { dealer?: string | undefined }>;

async function showWidget(call: Call, findings: readonly Finding[] | null): Promise<View> {
  const { ctx, session, query } = call;
  const [keys, { dealers }] = await Promise.all([listOwnKeys(ctx), listDealers(ctx, { limit: 200 })]);
  const chosen = dealers.find(({ slug }) => slug === query.dealer) ?? dealers[0];
  const others = dealers.filter((dealer) => dealer !== chosen);
  return {
    title: 'Widget',
    main: html`${settingsTabs(session, '/dashboard/settings/widget')}
<p>One line on the pages of a dealer’s site lets visitors search its trucks, ask about them and leave their number.</p>
${chosen ? showTag(ctx, chosen) : empty('No dealer yet', html`<a href="/dashboard/settings/dealers">Add a dealer</a> first: the widget is about its trucks.`)}
${others.length > 0 ? html`<p>Other dealers: ${others.map(({ slug, name }) => html`<a href="?dealer=${slug}">${name}</a> `)}</p>` : ''}
${checkForm(call, findings)}
<section><h2>Keys of the widget</h2>${showKeys(keys, ctx.ports.clock.now())}</section>
<section><h2>Preview</h2><p><a class="button" href="/docs/widget">Try it with trucks made up for it</a></p></section>`,
  };
}

function showTag(ctx: Context, { slug, name }: { slug: string; name: string }): Html {
  const origin = ctx.ports.settings.publicUrl ?? ctx.origin;
  const tag = `<script async src="${origin}/widget.js" data-dealer="${slug}" data-key="ctis_wk_live_…"></script>`;
  return html`<h2>The tag for ${name}</h2>${copyable(tag, 'tag')}<p class="hint">Put it before <code>&lt;/body&gt;</code> of every page, with your widget key as data-key. <a href="/docs/widget">More about it</a>.</p>`;
}

function showKeys(keys: Awaited<ReturnType<typeof listOwnKeys>>, nowMs: number): Html {
  const widgetKeys = keys.filter((key) => key.kind === 'publishable' && worksStill(key, nowMs));
  if (widgetKeys.length === 0)
    return empty(
      'No widget key yet',
      html`<a href="/dashboard/settings/keys">Make one</a> for a web site, with the address of the site.`,
    );
  return table(
    'Keys of the widget',
    [{ label: 'Key' }, { label: 'Sites that may use it' }, { label: 'Last seen on' }],
    widgetKeys.map(({ id, name, prefix, allowed_origins, last_origin, last_used_at }) => [
      html`<a href="/dashboard/settings/keys/${id}">${name ?? 'Widget key'}</a><br><code>${prefix}…</code>`,
      allowed_origins.join(', ') || badge('none yet', 'warn'),
      last_used_at === null ? 'Nowhere yet' : html`${last_origin ?? 'A site'}, ${ago(last_used_at, nowMs)}`,
    ]),
  );
}

function checkForm(call: Call, findings: readonly Finding[] | null): Html {
  const shown = findings?.map(
    ({ isFine, text }) => html`<li>${isFine ? badge('fine', 'good') : badge('change', 'bad')} ${text}</li>`,
  );
  return html`<section id="check"><h2>Check a page</h2><p>No button, or no trucks? This reads a page of the site as any visitor would, and says what to change.</p>
${shown ? html`<ul class="tasks" role="status">${shown}</ul>` : ''}
<form method="post" action="#check" class="card">${field(call, { name: 'page', label: 'Address of the page', type: 'url', placeholder: 'https://www.dealer.example/trucks', isRequired: true, maxLength: 2_000 })}
${button('check', 'Check the page')}</form></section>`;
}
