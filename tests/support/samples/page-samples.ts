import { PAGES } from '../../../lib/dashboard/pages.ts';
import { createdSlug, SAMPLES, type Stage } from './samples.ts';

/** The page of what a sample of the API is about. */
const pageFor =
  (id: string, below = '') =>
  async (stage: Stage) => {
    const sample = await SAMPLES[id]?.(stage);
    return `${sample?.path.replace('/v1', '/dashboard')}${below}`;
  };

/** A page of an account: with the path of something that belongs to it where the page is about one thing. */
export const PAGE_SAMPLES: Readonly<Record<string, (stage: Stage) => string | Promise<string>>> = {
  ...Object.fromEntries(
    PAGES.filter(({ path }) => !path.includes('{')).map(({ path }) => [path, () => path]),
  ),
  '/dashboard/inventory/{vin}': pageFor('getInventory'),
  '/dashboard/feeds/{id}': pageFor('getFeed'),
  '/dashboard/feeds/{id}/edit': pageFor('getFeed', '/edit'),
  '/dashboard/feeds/{id}/runs/{run}': pageFor('getFeedRun'),
  '/dashboard/leads/{id}': pageFor('getLead'),
  '/dashboard/settings/keys/{id}': ({ account }) => `/dashboard/settings/keys/${account.keyId}`,
  '/dashboard/settings/dealers/{slug}': async (stage) =>
    `/dashboard/settings/dealers/${await createdSlug(stage)}`,
  '/dashboard/operator/accounts/{id}': ({ account }) => `/dashboard/operator/accounts/${account.id}`,
};
