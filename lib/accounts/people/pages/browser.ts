import * as z from 'zod/mini';
import type { PageCall } from '../../../http/pages/page.ts';
import { signOut } from '../sign-in.ts';

/** Where to go after signing in: a page of the dashboard, whatever the address says. */
export const Next = z.catch(
  z.string().check(z.maxLength(300), z.regex(/^\/dashboard(?:\/[\w-]+)*$/)),
  '/dashboard',
);

export const NextQuery = z.object({ next: Next });

export const withNext = (path: string, next: string): string =>
  next === '/dashboard' ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Signs the browser in by its new token: whoever was signed in before, or got hold of that session, is signed out. */
export async function replaceSession(
  { ctx, cookies }: Pick<PageCall, 'ctx' | 'cookies'>,
  token: string,
): Promise<void> {
  const oldToken = cookies.get('session');
  if (oldToken) await signOut(ctx, oldToken);
  cookies.set('session', token);
  cookies.set('browser', null);
}
