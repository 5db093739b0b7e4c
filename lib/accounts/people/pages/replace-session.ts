import type { PageCall } from '../../../http/pages/page.ts';
import { signOut } from '../sign-in.ts';

/** Signs the browser in by its new token: whoever was signed in before, or got hold of that session, is signed out. */
export async function replaceSession(
  { ctx, cookies }: Pick<PageCall, 'ctx' | 'cookies'>,
  token: string,
): Promise<void> {
  const old = cookies.get('session');
  if (old) await signOut(ctx, old);
  cookies.set('session', token);
  cookies.set('browser', null);
}
