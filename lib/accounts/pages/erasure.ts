import { html } from 'hono/html';
import { buttonForm } from '../../dashboard/parts/form.ts';
import { moment } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { NoFields } from '../../http/pages/form.ts';
import { page } from '../../http/pages/page.ts';
import { undoErasure } from '../erase-account.ts';

/** All that owners see of an account that waits to be erased: until when they may undo it. */
export default page({
  async show({ session: { account } }) {
    if (!account?.erase_at)
      return {
        title: 'Nothing will be erased',
        main: html`<p>Nobody asked to erase the account. <a href="/dashboard/settings">Go to its settings</a></p>`,
      };
    return {
      title: 'The account will be erased',
      main: html`<p>An owner asked to erase <strong>${account.name}</strong>. Everything in it is removed after ${moment(account.erase_at)}. Until then any owner can keep it; its keys and pages are refused, and its widget shows no trucks.</p>
${buttonForm('keep', 'Keep the account', {}, { look: 'primary' })}`,
    };
  },
  actions: {
    keep: {
      form: NoFields,
      async run({ ctx }) {
        if (await undoErasure(ctx)) return { to: '/dashboard', done: 'kept' };
        throw new ApiError('INVALID_PAYLOAD', 'It is too late: the erasure has begun.');
      },
    },
  },
});
