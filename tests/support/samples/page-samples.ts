import { createdSlug, SAMPLES, type Stage } from './samples.ts';

/** The page of what a sample of the API is about. */
const pageFor = async (id: string, stage: Stage): Promise<string> => {
  const sample = await SAMPLES[id]?.(stage);
  return sample?.path.replace('/v1', '/dashboard') ?? '';
};

/** A page of an account: with the path of something that belongs to it where the page is about one thing. */
export const PAGE_SAMPLES: Readonly<Record<string, (stage: Stage) => string | Promise<string>>> = {
  '/dashboard': () => '/dashboard',
  '/dashboard/inventory': () => '/dashboard/inventory',
  '/dashboard/inventory/{vin}': (stage) => pageFor('getInventory', stage),
  '/dashboard/issues': () => '/dashboard/issues',
  '/dashboard/upload': () => '/dashboard/upload',
  '/dashboard/feeds': () => '/dashboard/feeds',
  '/dashboard/feeds/new': () => '/dashboard/feeds/new',
  '/dashboard/feeds/{id}': (stage) => pageFor('getFeed', stage),
  '/dashboard/feeds/{id}/edit': async (stage) => `${await pageFor('getFeed', stage)}/edit`,
  '/dashboard/feeds/{id}/runs/{run}': (stage) => pageFor('getFeedRun', stage),
  '/dashboard/leads': () => '/dashboard/leads',
  '/dashboard/leads/{id}': (stage) => pageFor('getLead', stage),
  '/dashboard/market': () => '/dashboard/market',
  '/dashboard/settings': () => '/dashboard/settings',
  '/dashboard/erasure': () => '/dashboard/erasure',
  '/dashboard/settings/keys': () => '/dashboard/settings/keys',
  '/dashboard/settings/keys/{id}': ({ account }) => `/dashboard/settings/keys/${account.keyId}`,
  '/dashboard/settings/dealers': () => '/dashboard/settings/dealers',
  '/dashboard/settings/dealers/{slug}': async (stage) =>
    `/dashboard/settings/dealers/${await createdSlug(stage)}`,
  '/dashboard/settings/widget': () => '/dashboard/settings/widget',
  '/dashboard/activity': () => '/dashboard/activity',
  '/dashboard/settings/people': () => '/dashboard/settings/people',
  '/dashboard/operator/accounts/{id}': ({ account }) => `/dashboard/operator/accounts/${account.id}`,
  '/dashboard/operator/health': () => '/dashboard/operator/health',
  '/dashboard/operator': () => '/dashboard/operator',
  '/dashboard/sign-in': () => '/dashboard/sign-in',
  '/dashboard/sign-in/code': () => '/dashboard/sign-in/code',
  '/dashboard/sign-in/link/{token}': () => '/dashboard/sign-in/link/used',
  '/dashboard/sign-in/operator': () => '/dashboard/sign-in/operator',
  '/dashboard/sign-out': () => '/dashboard/sign-out',
};
