import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm } from '../../../dashboard/parts/form.ts';
import { ApiError } from '../../../errors.ts';
import { page } from '../../../http/pages/page.ts';
import { signInOperator } from '../sign-in.ts';
import { NextQuery, replaceSession } from './browser.ts';

const Token = z.object({ token: z.string().check(z.maxLength(500)) });

/** Whoever runs the service has ADMIN_TOKEN, and needs no mail. */
export default page({
  query: NextQuery,
  async show(call) {
    return {
      title: 'Sign in as the operator',
      main: html`<p>For whoever runs this service. The token is <code>ADMIN_TOKEN</code> of its environment.</p>
${actionForm(call, fields(call, { schema: Token }, ['token']), 'sign_in', 'Sign in')}`,
    };
  },
  actions: {
    sign_in: {
      form: Token,
      async run({ ctx, form, query, cookies }) {
        const token = await signInOperator(ctx, form.token);
        if (token === null)
          throw new ApiError('INVALID_PAYLOAD', 'This token does not work.', {
            details: { field: 'token', fix: 'Check it. After 20 tries an hour no token works.' },
          });
        await replaceSession({ ctx, cookies }, token);
        return { to: query.next };
      },
    },
  },
});
