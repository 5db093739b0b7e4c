import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button } from '../../../dashboard/parts/form.ts';
import { ApiError } from '../../../errors.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { page } from '../../../http/pages/page.ts';
import { readSignInLink, signInByLink } from '../sign-in.ts';
import { replaceSession } from './browser.ts';

/** A link that signs in once. Opening it does nothing yet: programs that look at links open them too. */
export default page({
  params: z.object({ token: z.string() }),
  async show({ ctx, params, problem }) {
    const link = await readSignInLink(ctx, params.token);
    if (link === null)
      return {
        title: 'Sign in',
        status: 404,
        main: html`${problem ? '' : html`<p>${USED}</p>`}<p>Ask for a new link, or <a href="/dashboard/sign-in">sign in with a code</a>.</p>`,
      };
    const description = link.person
      ? html`<p>This link signs you in to <strong>${link.person.account}</strong> as ${link.person.email}.</p>`
      : html`<p>This link signs you in as the <strong>operator</strong> of this service.</p>`;
    return {
      title: 'Sign in',
      main: html`${description}<form method="post" class="card">
${button('sign_in', 'Sign in', { look: 'primary' })}<p class="hint">It works once.</p></form>`,
    };
  },
  actions: {
    sign_in: {
      form: NoFields,
      async run({ ctx, params, cookies }) {
        const token = await signInByLink(ctx, params.token, cookies.get('known'));
        if (token === null) throw new ApiError('INVALID_PAYLOAD', USED);
        await replaceSession({ ctx, cookies }, token);
        return { to: '/dashboard' };
      },
    },
  },
});

const USED = 'This link was used already, or is too old.';
