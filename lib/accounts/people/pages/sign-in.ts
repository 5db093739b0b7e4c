import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm } from '../../../dashboard/parts/form.ts';
import { page } from '../../../http/pages/page.ts';
import { Email } from '../../../truck/json.ts';
import { requestCode } from '../sign-in.ts';
import { Next, withNext } from './browser.ts';

const Address = z.object({ email: Email });

/** Asks for an address and sends it a code; also before a sensitive act, from those whose sign-in is a while ago. */
export default page({
  query: z.object({ next: Next, fresh: z.optional(z.literal('true')) }),
  async show(call) {
    const { session, query, ctx } = call;
    if (session.id !== '' && query.fresh === undefined) return { to: query.next };
    if (session.isOperator) return { to: withNext('/dashboard/sign-in/operator', query.next) };
    const mailNote =
      ctx.ports.settings.mail === 'none'
        ? html`<p class="hint">This service has no mail server. Ask whoever runs it for a sign-in link.</p>`
        : '';
    return {
      title: session.person ? 'Confirm that it is you' : 'Sign in',
      main: html`<p>We send a code to your address, and you type it here.${session.person && ' Then you return to the page, and fill in its form again if you had begun.'}</p>${actionForm(call, fields(call, { schema: Address, stored: { ...session.person } }, ['email']), 'send', 'Send me a code')}${mailNote}
${session.person ? '' : html`<p class="hint"><a href="${withNext('/dashboard/sign-in/operator', query.next)}">Sign in as the operator</a></p>`}`,
    };
  },
  actions: {
    send: {
      form: Address,
      async run({ ctx, form, query, cookies }) {
        cookies.set('browser', await requestCode(ctx, form.email, cookies.get('known')));
        return { to: withNext('/dashboard/sign-in/code', query.next) };
      },
    },
  },
});
