import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { button, hiddenFields } from '../../../dashboard/parts/form.ts';
import { outboxNote } from '../../../dashboard/parts/mails.ts';
import { badge } from '../../../dashboard/parts/text.ts';
import { ApiError } from '../../../errors.ts';
import { page } from '../../../http/pages/page.ts';
import { signInByCode } from '../sign-in.ts';
import type { Entrant } from '../sign-in-queries.ts';
import { NextQuery, replaceSession, withNext } from './browser.ts';

const Code = z.object({
  code: z.string().check(z.maxLength(20)),
  person: z.optional(z.string().check(z.maxLength(64))),
});

const FIX =
  'Use the newest code, in the browser that asked for it. After five tries or ten minutes, ask for a new one.';

/** Takes the code. The mail's link fills the field from behind the #, and nothing more. */
export default page({
  query: NextQuery,
  async show(call) {
    const { query, ctx } = call;
    return {
      title: 'Enter your code',
      main: html`<p>If the address is known here, a code is on its way. It works for ten minutes, in this browser.</p>
<form method="post" class="card" data-code>
${fields({ ...call, formValues: {} }, { schema: Code }, ['code'])}
${button('sign_in', 'Sign in', { look: 'primary' })}</form>${outboxNote(ctx)}
<p class="hint">Nothing arrived? Look into the spam folder, or <a href="${withNext('/dashboard/sign-in', query.next)}">ask for a new code</a>. You can ask for five an hour.</p>`,
    };
  },
  actions: {
    sign_in: {
      form: Code,
      async run({ ctx, form, query, cookies }) {
        const digits = form.code.replace(/\D/g, '');
        const signedIn = await signInByCode(ctx, cookies.get('browser'), digits, {
          chosenId: form.person,
          knownToken: cookies.get('known'),
        });
        // The same words whatever the reason.
        if (signedIn === null)
          throw new ApiError('INVALID_PAYLOAD', 'This code does not work.', {
            details: { field: 'code', fix: FIX },
          });
        if ('people' in signedIn) return chooseAccount(digits, signedIn.people);
        await replaceSession({ ctx, cookies }, signedIn.token);
        cookies.set('known', signedIn.known);
        return { to: query.next };
      },
    },
  },
});

/** Of an address that several accounts have; whoever invited the address chose none of them for the person. */
const chooseAccount = (code: string, people: readonly Entrant[]) => ({
  title: 'Which account?',
  main: html`<p>Your address belongs to several accounts. You can sign in to another one later. Open one marked “invited” only if you know who invited you.</p>
<form method="post" class="card">${hiddenFields({ code, action: 'sign_in' })}
${people.map(({ id, account, isConfirmed }) => html`<p><button name="person" value="${id}">${account}</button> ${isConfirmed ? '' : badge('invited')}</p>`)}</form>`,
});
