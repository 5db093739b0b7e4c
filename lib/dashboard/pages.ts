import { KEY_MANAGERS } from '../accounts/keys/who-may-manage-keys.ts';
import type { PageEntry } from '../http/pages/page.ts';

/** Every page of the dashboard, those with a label in the order of the navigation. A module is loaded when it is called. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/dashboard',
    role: 'member',
    label: 'Overview',
    load: async () => (await import('./overview/overview.ts')).overview,
  },
  {
    path: '/dashboard/inventory',
    role: 'member',
    label: 'Inventory',
    load: async () => (await import('../inventory/pages/inventory.ts')).inventory,
  },
  {
    path: '/dashboard/inventory/{vin}',
    role: 'member',
    load: async () => (await import('../inventory/pages/listing.ts')).listing,
  },
  {
    path: '/dashboard/issues',
    role: 'member',
    label: 'Issues',
    load: async () => (await import('../issues/pages/issues.ts')).issues,
  },
  {
    path: '/dashboard/upload',
    role: 'member',
    label: 'Upload',
    isOnlyForm: true,
    load: async () => (await import('../feeds/pages/upload.ts')).upload,
  },
  {
    path: '/dashboard/feeds',
    role: 'member',
    label: 'Feeds',
    load: async () => (await import('../feeds/pages/feeds.ts')).feeds,
  },
  {
    path: '/dashboard/feeds/new',
    role: 'member',
    load: async () => (await import('../feeds/pages/feed-form.ts')).feedForm,
  },
  {
    path: '/dashboard/feeds/{id}',
    role: 'member',
    load: async () => (await import('../feeds/pages/feeds.ts')).feed,
  },
  {
    path: '/dashboard/feeds/{id}/edit',
    role: 'member',
    load: async () => (await import('../feeds/pages/feed-form.ts')).feedForm,
  },
  {
    path: '/dashboard/feeds/{id}/runs/{run}',
    role: 'member',
    load: async () => (await import('../feeds/pages/run.ts')).run,
  },
  {
    path: '/dashboard/leads',
    role: 'member',
    label: 'Leads',
    load: async () => (await import('../leads/pages/leads.ts')).leads,
  },
  {
    path: '/dashboard/leads/{id}',
    role: 'member',
    load: async () => (await import('../leads/pages/lead.ts')).lead,
  },
  {
    path: '/dashboard/market',
    role: 'member',
    label: 'Market',
    load: async () => (await import('../market/pages/market.ts')).market,
  },
  {
    path: '/dashboard/settings',
    role: 'member',
    label: 'Settings',
    load: async () => (await import('../accounts/pages/account.ts')).account,
  },
  {
    path: '/dashboard/erasure',
    role: 'owner',
    isForErasure: true,
    load: async () => (await import('../accounts/pages/erasure.ts')).erasure,
  },
  {
    path: '/dashboard/settings/keys',
    role: KEY_MANAGERS.page,
    load: async () => (await import('../accounts/keys/pages/keys.ts')).keys,
  },
  {
    path: '/dashboard/settings/keys/{id}',
    role: KEY_MANAGERS.page,
    load: async () => (await import('../accounts/keys/pages/key.ts')).key,
  },
  {
    path: '/dashboard/settings/people',
    role: 'owner',
    load: async () => (await import('../accounts/people/pages/people.ts')).people,
  },
  {
    path: '/dashboard/settings/dealers',
    role: 'member',
    load: async () => (await import('../accounts/dealers/pages/dealers.ts')).dealers,
  },
  {
    path: '/dashboard/settings/dealers/{slug}',
    role: 'member',
    load: async () => (await import('../accounts/dealers/pages/dealer.ts')).dealer,
  },
  {
    path: '/dashboard/settings/widget',
    role: 'member',
    load: async () => (await import('../accounts/widget/page.ts')).widget,
  },
  {
    path: '/dashboard/activity',
    role: 'member',
    label: 'Activity',
    load: async () => (await import('../accounts/pages/activity.ts')).activity,
  },
  {
    path: '/dashboard/sign-in',
    role: 'anyone',
    load: async () => (await import('../accounts/people/pages/sign-in.ts')).signIn,
  },
  {
    path: '/dashboard/sign-in/code',
    role: 'anyone',
    load: async () => (await import('../accounts/people/pages/code.ts')).code,
  },
  {
    path: '/dashboard/sign-in/link/{token}',
    role: 'anyone',
    load: async () => (await import('../accounts/people/pages/link.ts')).link,
  },
  {
    path: '/dashboard/sign-in/operator',
    role: 'anyone',
    load: async () => (await import('../accounts/people/pages/operator.ts')).operator,
  },
  {
    path: '/dashboard/sign-out',
    role: 'anyone',
    load: async () => (await import('../accounts/people/pages/sign-out.ts')).signOut,
  },
  {
    path: '/dashboard/operator',
    role: 'operator',
    label: 'Accounts',
    load: async () => (await import('../accounts/operator/pages/operator.ts')).operator,
  },
  {
    path: '/dashboard/operator/health',
    role: 'operator',
    label: 'Health',
    load: async () => (await import('../accounts/operator/pages/health.ts')).health,
  },
  {
    path: '/dashboard/operator/accounts/{id}',
    role: 'operator',
    load: async () => (await import('../accounts/operator/pages/account.ts')).account,
  },
];
