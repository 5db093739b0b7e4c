import * as z from 'zod/mini';

/** Where to go after signing in: a page of the dashboard, whatever the address says. */
export const Next = z.catch(
  z._default(z.string().check(z.maxLength(300), z.regex(/^\/dashboard(?:\/[\w-]+)*$/)), '/dashboard'),
  '/dashboard',
);

export const NextQuery = z.object({ next: Next });

export const withNext = (path: string, next: string): string =>
  next === '/dashboard' ? path : `${path}?next=${encodeURIComponent(next)}`;
