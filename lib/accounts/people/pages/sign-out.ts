import { NoFields } from '../../../http/pages/form.ts';
import { page } from '../../../http/pages/page.ts';
import { signOut as endSession } from '../sign-in.ts';

export default page({
  show: async () => ({ to: '/dashboard' }),
  actions: {
    sign_out: {
      form: NoFields,
      async run({ ctx, cookies }) {
        const token = cookies.get('session');
        if (token) await endSession(ctx, token);
        cookies.set('session', null);
        return { to: '/dashboard/sign-in' };
      },
    },
  },
});
