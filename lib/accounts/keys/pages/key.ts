import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, buttonForm, field, select, textArea } from '../../../dashboard/parts/form.ts';
import { facts } from '../../../dashboard/parts/table.ts';
import { moment, momentOr } from '../../../dashboard/parts/text.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { changeOwnKey, readOwnKey, revokeOwnKey } from '../manage-keys.ts';
import { OVERLAP_HOURS, rotateOwnKey } from '../rotate-key.ts';
import { keyMaker, keyReach, keyState, nameKey, worksStill } from './describe.ts';
import { Origins, readOrigins } from './forms.ts';
import { newKeyView } from './new-key.ts';

const Params = z.object({ id: z.string() });

/** One key: what it is, its sites, its successor, its end. */
export const key = page({
  params: Params,
  notices: { changed: 'The key is changed.' },
  show: showKey,
  actions: {
    change: {
      form: z.object({ name: z.optional(z.string().check(z.maxLength(100))), origins: Origins }),
      sensitive: true,
      async run({ ctx, params, form }) {
        const allowed_origins = readOrigins(form.origins);
        await changeOwnKey(ctx, params.id, { name: form.name ?? null, allowed_origins });
        return { to: `/dashboard/settings/keys/${params.id}`, done: 'changed' };
      },
    },
    rotate: {
      form: z.object({ overlap: z.pipe(z.string(), z.pipe(z.transform(Number), z.literal(OVERLAP_HOURS))) }),
      sensitive: true,
      async run(call) {
        const next = await rotateOwnKey(call.ctx, call.params.id, call.form.overlap);
        return newKeyView(call, next, next.key);
      },
    },
    revoke: {
      form: NoFields,
      sensitive: true,
      async run({ ctx, params }) {
        await revokeOwnKey(ctx, params.id);
        return { to: '/dashboard/settings/keys', done: 'revoked' };
      },
    },
  },
});

type Call = PageCall<z.output<typeof Params>>;
type Key = Awaited<ReturnType<typeof readOwnKey>>;

async function showKey(call: Call) {
  const found = await readOwnKey(call.ctx, call.params.id);
  const nowMs = call.ctx.ports.clock.now();
  const known = facts([
    ['Starts with', html`<code>${found.prefix}…</code>`],
    ['State', keyState(found, nowMs)],
    ['May', keyReach(found)],
    ['Created', html`${moment(found.created_at)} by ${keyMaker(found)}`],
    ['Last used', momentOr(found.last_used_at, 'Never')],
    ...(found.kind === 'publishable'
      ? ([['Last seen on', found.last_origin ?? 'No site yet']] as const)
      : []),
  ]);
  const main = html`${settingsTabs(call.session, '/dashboard/settings/keys')}
<p><a href="/dashboard/settings/keys">All keys</a></p>
${known}
${worksStill(found, nowMs) && !call.session.isOperator ? manage(call, found) : ''}`;
  return { title: nameKey(found), main };
}

const OVERLAPS = [
  { value: '24', label: 'The old one works for 24 hours more' },
  { value: '1', label: 'The old one works for 1 hour more' },
  { value: '168', label: 'The old one works for 7 days more' },
  { value: '0', label: 'The old one ends now' },
];

function manage(call: Call, found: Key): Html {
  const sites =
    found.kind === 'publishable'
      ? textArea(call, {
          name: 'origins',
          label: 'Sites that may use it',
          hint: 'One on a line.',
          value: found.allowed_origins.join('\n'),
          placeholder: 'https://www.dealer.example',
        })
      : '';
  return html`<section><h2>Change it</h2><form method="post" class="card">
${field(call, { name: 'name', label: 'What is it for?', value: found.name, maxLength: 100 })}${sites}
${button('change', 'Save', { look: 'primary' })}</form></section>
<section><h2>Rotate it</h2><form method="post" class="card"><p>Creates a new key that may do the same.</p>
${select(call, { name: 'overlap', label: 'And the old one?', choices: OVERLAPS })}
${button('rotate', 'Create the new key')}</form></section>
<section><h2>Revoke it</h2><div class="card"><p>Whatever still uses it is refused within five seconds. This cannot be undone.</p>
${buttonForm('revoke', 'Revoke the key', {}, { look: 'danger', confirm: 'Revoke this key? Whatever uses it stops working.' })}</div></section>`;
}
