import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, choices, field, select, textArea } from '../../../dashboard/parts/form.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { ago, empty } from '../../../dashboard/parts/text.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { KEY_KINDS } from '../../access.ts';
import { listDealers } from '../../dealers/dealers.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { createOwnKey } from '../create-key.ts';
import { listOwnKeys } from '../manage-keys.ts';
import { isReplaced, keyMaker, keyReach, keyState, nameKey } from './describe.ts';
import {
  Dealer,
  endOfDay,
  LastDay,
  Origins,
  readOrigins,
  SCOPE_CHOICES,
  Scopes,
  siteMissing,
} from './forms.ts';
import { newKeyView } from './new-key.ts';

/** The account's keys, and how to make one. */
export const keys = page({
  notices: { revoked: 'The key is revoked: it is refused everywhere within five seconds.' },
  show: async (call) => ({ title: 'Keys', main: await showKeys(call) }),
  actions: {
    create: {
      form: z.object({
        name: z.string().check(z.maxLength(100)),
        kind: z.enum(KEY_KINDS),
        scopes: Scopes,
        dealer: Dealer,
        origins: Origins,
        expires_at: LastDay,
      }),
      sensitive: true,
      async run(call) {
        const { name, kind, scopes, dealer, origins, expires_at: lastDay } = call.form;
        const isAll = scopes === undefined || scopes.length === SCOPE_CHOICES.length;
        const allowed_origins = kind === 'publishable' ? readOrigins(origins) : [];
        if (kind === 'publishable' && allowed_origins.length === 0) throw siteMissing();
        const made = await createOwnKey(call.ctx, {
          name,
          kind,
          allowed_origins,
          scopes: kind === 'publishable' || isAll ? null : scopes,
          dealers: dealer ? [dealer] : null,
          expires_at: lastDay === undefined ? null : endOfDay(lastDay),
        });
        return newKeyView(call, made, made.key);
      },
    },
  },
});

const COLUMNS = ['Key', 'May', 'Created by', 'Last used', 'State'];

async function showKeys(call: FormCall): Promise<Html> {
  const nowMs = call.ctx.ports.clock.now();
  const [found, { dealers }] = await Promise.all([
    listOwnKeys(call.ctx),
    listDealers(call.ctx, { limit: 200 }),
  ]);
  const list = table(
    'Keys of the account',
    COLUMNS,
    found.map((key) => [
      html`<a href="/dashboard/settings/keys/${key.id}">${nameKey(key)}</a><br><code>${key.prefix}…</code>`,
      keyReach(key),
      keyMaker(key),
      key.last_used_at === null
        ? 'Never'
        : html`${ago(key.last_used_at, nowMs)}${key.last_origin ? html`<br>${key.last_origin}` : ''}`,
      html`${keyState(key, nowMs)}${isReplaced(key, found) ? html`<br><small>replaced by a newer one</small>` : ''}`,
    ]),
  );
  return html`${settingsTabs(call.session, '/dashboard/settings/keys')}
${found.length === 0 ? empty('No key yet', 'A secret key is for your server, a widget key for the pages of your site.') : list}
${call.session.isOperator ? '' : html`<section><h2>Create a key</h2>${newKeyForm(call, dealers)}</section>`}`;
}

type FormCall = Pick<PageCall, 'ctx' | 'session' | 'sent' | 'sentLists' | 'problem'>;

function newKeyForm(call: FormCall, dealers: readonly { slug: string; name: string }[]): Html {
  const all = { value: '', label: 'All dealers' };
  return html`<form method="post" class="card">
${field(call, { name: 'name', label: 'What is it for?', placeholder: 'DMS sync', isRequired: true, maxLength: 100 })}
${choices('radio', {
  name: 'kind',
  label: 'Where is it used?',
  chosen: [call.sent.kind ?? 'secret'],
  choices: [
    { value: 'secret', label: 'On a server', hint: 'secret: sends trucks, reads leads' },
    { value: 'publishable', label: 'On a web site', hint: 'public: for the widget only' },
  ],
})}
${choices('checkbox', { name: 'scopes', label: 'On a server it may', hint: 'Everything, if none is chosen.', chosen: call.sentLists.scopes ?? [], choices: SCOPE_CHOICES })}
${select(call, { name: 'dealer', label: 'For', choices: [all, ...dealers.map(({ slug, name }) => ({ value: slug, label: name }))] })}
${textArea(call, { name: 'origins', label: 'Sites that may use it', hint: 'A key for a web site needs its address, one on a line.', placeholder: 'https://www.dealer.example', rows: 2 })}
${field(call, { name: 'expires_at', label: 'Its last day', hint: 'It ends at midnight, UTC. Leave it blank for a key without an end.', type: 'date' })}
${button('create', 'Create the key', { look: 'primary' })}</form>`;
}
