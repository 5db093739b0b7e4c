import type { Stage } from './samples.ts';

/** A page of an account: with the path of something that belongs to it where the page is about one thing. */
export const PAGE_SAMPLES: Readonly<Record<string, (stage: Stage) => string | Promise<string>>> = {
  '/dashboard': () => '/dashboard',
  '/dashboard/settings/people': () => '/dashboard/settings/people',
  '/dashboard/operator': () => '/dashboard/operator',
  '/dashboard/sign-in': () => '/dashboard/sign-in',
  '/dashboard/sign-in/code': () => '/dashboard/sign-in/code',
  '/dashboard/sign-in/link': () => '/dashboard/sign-in/link',
  '/dashboard/sign-in/operator': () => '/dashboard/sign-in/operator',
  '/dashboard/sign-out': () => '/dashboard/sign-out',
};
